import { randomLetters } from '../../../contract/msg-key.ts'

/**
 * Returns a random id of 82 bits; a counter would reveal the request rate of others. The id is the header
 * `Request-Id` of the response and `requestId` in log lines and audit rows.
 */
export function createRequestId(): string {
  return randomLetters(16)
}
