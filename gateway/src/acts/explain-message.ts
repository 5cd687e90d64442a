/** Which route a step of a stored message would take now, and why. Neither its number nor its text is returned. */
import type { ChannelName } from '../channels/channel.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import { OperationError, wrongField } from './errors.ts'
import { requireMessage } from './messages.ts'
import { explainFor, type ExplainedRoutes } from './routes.ts'

export interface ExplainedStep extends ExplainedRoutes {
  readonly step: number
  readonly channel: ChannelName
}

/** `nth`: the step of its flow, the first is 1; by default the last. */
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
      `message ${msgKey} has no route to explain: it was never recorded, or its account is gone; see its timeline`,
    )
  const step = nth ?? message.channels.length
  const channel = message.channels[step - 1]
  if (channel === undefined)
    throw wrongField('step', `must be one of the ${message.channels.length} steps of message ${msgKey}`)
  const request = { account: message.clientId, channel, to: message.recipient, msgKey }
  return { ...(await explainFor(database, request)), step, channel }
}
