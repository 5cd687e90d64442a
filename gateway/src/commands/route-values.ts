/** Values of the route commands' options, checked; every refusal names the option and what is wanted. */
import type { ChannelName } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import { UsageError } from './command.ts'

export function listed(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
}

export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${option} wants a whole number from ${least} to ${most}, not '${text}'`)
  return value
}

export function channelName(text: string): ChannelName {
  if (!Object.hasOwn(channels, text))
    throw new UsageError(`unknown channel '${text}'; known are ${Object.keys(channels).join(', ')}`)
  return text as ChannelName
}

export function channelNames(text: string | undefined): ChannelName[] {
  const names = listed(text)
  if (names.length === 0)
    throw new UsageError(`--channels is missing: some of ${Object.keys(channels).join(',')}`)
  return names.map(channelName)
}
