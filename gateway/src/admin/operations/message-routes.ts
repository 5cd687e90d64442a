/** GET /admin/v1/messages/{msgKey}/routes. */
import { Type } from 'typebox'
import { explainMessage } from '../../acts/explain-message.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { oneOf, record, text, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'
import { ExplainedRoutes } from './explained-routes.ts'

export const explainOperation = defineOperation({
  id: 'explainMessage',
  method: 'get',
  path: '/admin/v1/messages/{msgKey}/routes',
  tag: 'Messages',
  summary: 'Explain which route a step of a message would take now, and why; its number is not shown',
  description:
    'With the routes and their health as they are now, which may differ from when the message was sent.',
  access: reads(),
  action: 'message routes',
  params: { msgKey: text('Key of the message', { minLength: 1, maxLength: 100 }) },
  query: {
    step: Type.Optional(whole('Step of its flow; by default the last', { minimum: 1, maximum: 100 })),
  },
  data: record(
    {
      ...ExplainedRoutes.properties,
      step: whole('The step that it is explained for'),
      channel: oneOf(Object.keys(channels) as ChannelName[], 'Channel of the step'),
    },
    'The explanation',
  ),
  run: async ({ params: { msgKey }, query: { step } }, { database, services: { config } }) => {
    const { routes, ...explained } = await explainMessage(database, config, msgKey, step)
    return { ...explained, routes: [...routes] }
  },
})
