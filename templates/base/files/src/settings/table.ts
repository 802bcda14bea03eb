/** What administrators have set, over the environment. */
export interface SettingsTables {
  settings: {
    name: string;
    /** JSON. */
    value: string;
  };
}
