/**
 * The values of quiet-hours settings. Separate from the SQL, so that a command that only names them loads no
 * driver.
 */
import type { ChannelName } from '../../channels/channel.ts'

/** `hold`: the step waits until the morning. `next-step`: the next step of its flow is tried immediately. */
export const nightChoices = ['refuse', 'hold', 'next-step'] as const
export type NightChoice = (typeof nightChoices)[number]

/** Account 0 stands for every account, channel `*` for every channel. */
export const everyAccount = 0
export const everyChannel = '*'
export type QuietChannel = ChannelName | typeof everyChannel
