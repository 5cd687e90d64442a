/** What a msgKey must look like, for commands and the admin API. Pure. */
import { isMsgKey } from '../contract/msg-key.ts'
import { UsageError } from './errors.ts'

export function requireMsgKey(msgKey: string): void {
  if (!isMsgKey(msgKey))
    throw new UsageError(
      `'${msgKey}' is not a msgKey; it must have 32 characters: 17 digits, then 15 digits or letters A-Z`,
    )
}
