/** What a msgKey must look like, for commands and the admin API. Pure. */
import { isMsgKey } from '../contract/msg-key.ts'
import { wrongField } from './errors.ts'

export function requireMsgKey(msgKey: string): void {
  if (!isMsgKey(msgKey))
    throw wrongField('msgKey', `must be 17 digits followed by 15 characters 0-9 or A-Z, not '${msgKey}'`)
}
