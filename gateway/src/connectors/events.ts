/**
 * Names of events that several kinds count in `postern_connector_events_total`, with their meaning. A kind lists those it
 * uses in `events`, besides its own; `declaredEvent` keeps every other name out of the metric.
 */
export const accountRefused = {
  'account-refused':
    'The carrier refuses our account: its login, its credit or its right to send. The link pauses; correct the credentials or top up the account.',
}
export const tokenRenewed = { 'token-renewed': 'A token for requests to the carrier was obtained.' }
export const fileUploaded = { 'file-uploaded': 'A file was uploaded to the carrier.' }
export const malformedReceipt = {
  'malformed-receipt': 'A result or report could not be read. Its message waits until its deadline.',
}
export const pollFailed = {
  'poll-failed': 'A request for results failed or was not understood; it is repeated.',
}
export const reply = {
  reply:
    'A message of a recipient to us. A text is stored for its account; a word that opts out is obeyed as well.',
}

/** Counted instead of a name that the kind does not declare: an error in the connector, which must not stop it. */
export const undeclared = 'undeclared'

export function declaredEvent(events: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(events, name) ? name : undeclared
}
