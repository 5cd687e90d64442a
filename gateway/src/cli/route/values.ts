/** Parses option values of route commands. Every error names the option and the allowed values. */
import type { ChannelName } from '../../channels/channel.ts'
import { channelNames, isChannelName } from '../../channels/channel-names.ts'
import { carrierError } from '../../channels/mobile-carriers.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import { isPrefix } from '../../carriers/routes/numbering.ts'
import { UsageError } from '../errors.ts'
import { readList } from '../options.ts'

export function readChannels(text: string, option: string): ChannelName[] {
  const names = readList(text)
  if (names.length === 0)
    throw new UsageError(`${option} must name at least one of ${channelNames.join(', ')}`)
  return names.map((name) => {
    if (isChannelName(name)) return name
    throw new UsageError(`${option}: unknown channel '${name}'; must be one of ${channelNames.join(', ')}`)
  })
}

export function readPrefixes(text: string, option: string): string[] {
  return readList(text).map((prefix) => {
    if (isPrefix(prefix)) return prefix
    throw new UsageError(
      `${option}: '${prefix}' is not a prefix; must be domestic such as 010, or + and a country code such as +81`,
    )
  })
}

export function readCarriers(text: string, option: string): string[] {
  return readList(text).map((code) => {
    const error = carrierError(code)
    if (error !== null) throw new UsageError(`${option}: ${error}`)
    return code
  })
}

export function readRate(text: string, option: string): number {
  const rate = Number(text)
  if (!/^[\d.]+$/.test(text) || !(rate > 0 && rate <= 1))
    throw new UsageError(`${option} must be a share above 0 and up to 1 (0.9 is 90 %), not '${text}'`)
  return rate
}

export function readRouteId(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,31}$/.test(text)) return text
  throw new UsageError(
    `a route id must be 1 to 32 lower-case letters, digits and hyphens, and not begin with a hyphen; not '${text}'`,
  )
}

export function readRecipient(text: string, option: string): string {
  if (isRecipient(text) || isInternationalRecipient(text)) return text
  throw new UsageError(`${option} must be a number such as 01012345678 or +819012345678, not '${text}'`)
}
