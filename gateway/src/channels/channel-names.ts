/** The names of all channels. Apart from their registry, which loads every schema: commands name channels and check no message. */
import type { ChannelName } from './channel.ts'

// The compiler keeps the list complete.
const known: Readonly<Record<ChannelName, true>> = {
  sms: true,
  international: true,
  mms: true,
  rcs: true,
  alimtalk: true,
  friendtalk: true,
  brandmessage: true,
}

export const channelNames = Object.keys(known) as ChannelName[]

export function isChannelName(name: string): name is ChannelName {
  return Object.hasOwn(known, name)
}
