/** The method's name in sessions and events. */
export const METHOD = 'sms';
