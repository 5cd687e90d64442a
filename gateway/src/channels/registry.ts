/** Every channel by its name, which is also the last segment of its send path. */
import type { Channel, ChannelName } from './channel.ts'
import { international } from './international/international.ts'
import { sms } from './sms/sms.ts'

export const channels: Readonly<Record<ChannelName, Channel>> = { sms, international }
