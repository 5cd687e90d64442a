/** Identifies a request in the header `Request-Id` of its response and in `requestId` of its log lines and audit rows. */
import { randomLetters } from '../../contract/msg-key.ts'

/** 82 random bits. Not a counter, which would tell a client how many requests others send. */
export function createRequestId(): string {
  return randomLetters(16)
}
