/**
 * Names and meanings of events that several connector kinds count in `postern_connector_events_total`. A kind lists those
 * it uses in `events`, in addition to its own; `declaredEvent` keeps other names out of the metric.
 */
export const accountRefused = {
  'account-refused':
    'The carrier refuses the account: its login, credit or permission to send. The link pauses; correct the credentials or top up the account.',
}
export const tokenRenewed = { 'token-renewed': 'A new access token was obtained from the carrier.' }
export const fileUploaded = { 'file-uploaded': 'A file was uploaded to the carrier.' }
export const malformedReceipt = {
  'malformed-receipt': 'A result or report could not be parsed. Its message waits until its deadline.',
}
export const pollFailed = {
  'poll-failed': 'A request for results failed or its response could not be parsed; it is repeated.',
}
export const reply = {
  reply: 'A message from a recipient. Its text is stored for the account; an opt-out keyword takes effect.',
}

/** Counted instead of a name that the kind does not declare, which is an error in the connector. */
export const undeclared = 'undeclared'

export function declaredEvent(events: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(events, name) ? name : undeclared
}
