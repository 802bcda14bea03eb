/** Questions on a terminal. */
export {
  type CANCEL_SYMBOL,
  isCancel,
  MultiSelectPrompt,
  SelectPrompt,
  type State,
  TextPrompt,
  updateSettings,
} from '@clack/core';
export {
  intro,
  limitOptions,
  note,
  outro,
  S_BAR,
  S_BAR_END,
  S_CHECKBOX_ACTIVE,
  S_CHECKBOX_INACTIVE,
  S_CHECKBOX_SELECTED,
  S_RADIO_ACTIVE,
  S_RADIO_INACTIVE,
  symbol,
  symbolBar,
} from '@clack/prompts';
