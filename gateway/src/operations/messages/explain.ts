/**
 * Explains which route a step of a stored message would take now, and why. Returns neither its number nor its
 * text.
 */
import type { ChannelName } from '../../channels/channel.ts'
import type { Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { OperationError, wrongField } from '../errors.ts'
import { requireMessage } from './messages.ts'
import { explainRoutes, type ExplainedRoutes } from '../routes/changes.ts'

export interface ExplainedStep extends ExplainedRoutes {
  readonly step: number
  readonly channel: ChannelName
}

/** `nth` is the step of its flow, starting at 1; the default is the last. */
export async function explainMessage(
  database: Database,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
  nth?: number,
): Promise<ExplainedStep> {
  const { message } = await requireMessage(database, config, msgKey)
  if (message === null || message.clientId === null)
    throw new OperationError(
      'invalid-request',
      `message '${msgKey}' has no route to explain: it was never recorded, or its account no longer exists; see its timeline`,
    )
  const step = nth ?? message.channels.length
  const channel = message.channels[step - 1]
  if (channel === undefined)
    throw wrongField('step', `must be one of the ${message.channels.length} steps of message '${msgKey}'`)
  const request = { account: message.clientId, channel, to: message.recipient, msgKey }
  return { ...(await explainRoutes(database, request)), step, channel }
}
