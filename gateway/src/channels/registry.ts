/**
 * Every channel by its name, which is also the last segment of its send path and its key in a message flow.
 */
import { alimtalk } from './alimtalk/channel.ts'
import { brandmessage } from './brandmessage/channel.ts'
import type { Channel, ChannelName } from './channel.ts'
import { friendtalk } from './friendtalk/channel.ts'
import { international } from './international/international.ts'
import { mms } from './mms/channel.ts'
import { rcs } from './rcs/channel.ts'
import { sms } from './sms/sms.ts'

export const channels: Readonly<Record<ChannelName, Channel>> = {
  sms,
  mms,
  international,
  rcs,
  alimtalk,
  friendtalk,
  brandmessage,
}
