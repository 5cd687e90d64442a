import { Type } from 'typebox'
import { explainMessage } from './explain.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { oneOf, record, text, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'
import { ExplainedRoutesSchema } from '../routes/explained-routes.ts'

export const explainOperation = defineOperation({
  id: 'explainMessage',
  method: 'get',
  path: '/admin/v1/messages/{msgKey}/routes',
  tag: 'Messages',
  summary: 'Explain which route a step of a message would take now, and why; the number is not shown',
  description: 'Uses the current routes and their health, which can differ from when the message was sent.',
  access: readAccess(),
  action: 'message routes',
  params: { msgKey: text('Key of the message', { minLength: 1, maxLength: 100 }) },
  query: {
    step: Type.Optional(whole('Step of its flow; the last by default', { minimum: 1, maximum: 100 })),
  },
  data: record(
    {
      ...ExplainedRoutesSchema.properties,
      step: whole('The explained step'),
      channel: oneOf(Object.keys(channels) as ChannelName[], 'Channel of the step'),
    },
    'The explanation',
  ),
  run: async ({ params: { msgKey }, query: { step } }, { database, services: { config } }) => {
    const { routes, ...explained } = await explainMessage(database, config, msgKey, step)
    return { ...explained, routes: [...routes] }
  },
})
