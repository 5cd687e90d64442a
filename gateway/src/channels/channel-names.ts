/**
 * Lists the names of all channels. Separate from the registry, which loads every schema, because commands
 * only need the names.
 */
import type { ChannelName } from './channel.ts'

// The type makes the compiler keep the list complete.
const channels: Readonly<Record<ChannelName, true>> = {
  sms: true,
  international: true,
  mms: true,
  rcs: true,
  alimtalk: true,
  friendtalk: true,
  brandmessage: true,
}

export const channelNames = Object.keys(channels) as ChannelName[]

export function isChannelName(name: string): name is ChannelName {
  return Object.hasOwn(channels, name)
}
