/** Questions on a terminal. */
export {
  type CANCEL_SYMBOL,
  cancel,
  confirm,
  intro,
  isCancel,
  log,
  multiselect,
  note,
  outro,
  select,
  text,
  updateSettings,
} from '@clack/prompts';
