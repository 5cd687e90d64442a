/** What a tester does in the sandbox: answer as the recipient, and choose how the carrier behaves. */
import { Type } from 'typebox'
import type { ActAudit } from '../../acts/act-audit.ts'
import { setBehaviour } from '../../acts/sandbox.ts'
import { behaviours, carrierCauses, type SandboxOptions } from '../../connectors/sandbox/behaviour.ts'
import { readOptions } from '../../connectors/registry.ts'
import { maxReplyText } from '../../connectors/reply.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { loadRouteRules, loadRoutes } from '../../routes/queries.ts'
import { flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { notFound, OperationError } from '../../acts/errors.ts'
import { findSandboxRoutes } from '../sandbox/find.ts'
import { addressesOf, choiceIn, readReplies, sendReply } from '../sandbox/replies.ts'
import { routeId } from './route-fields.ts'
import { msgKey, recipient, requireSandboxStep } from './sandbox.ts'

const maxReplies = 50

const behaviour = oneOf(
  behaviours,
  'by-number: the last four digits of the recipient decide; slow: delivered after delaySeconds; failed: by a receipt; refused: at once; no-receipt: accepted, and nothing more; throttled: told to send less; unreachable: the link is down',
)
const cause = oneOf(carrierCauses, 'Why messages fail or are refused')
const delaySeconds = whole('Seconds until the receipt of a slow carrier', { minimum: 1, maximum: 600 })

const routes = defineOperation({
  id: 'listSandboxRoutes',
  method: 'get',
  path: '/admin/v1/sandbox/routes',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'List the routes of the sandbox with how they behave',
  access: reads('sandbox'),
  action: 'sandbox list',
  data: record(
    {
      items: list(
        record(
          {
            id: routeId,
            channels: list(text('A channel'), 'Channels that it serves'),
            enabled: flag('Whether it is enabled'),
            ...{ behaviour, cause, delaySeconds },
          },
          'A route of the sandbox',
          { title: 'SandboxRoute' },
        ),
        'Routes, in the order of preference',
      ),
    },
    'Routes of the sandbox',
  ),
  run: async (_input, { database, services: { encryption } }) => {
    const stored = await loadRoutes(database, encryption)
    return {
      items: stored
        .filter(({ protocol }) => protocol === 'sandbox')
        .map(({ id, channels, enabled, options }) => ({
          ...{ id, channels: [...channels], enabled },
          ...(readOptions('sandbox', options) as unknown as SandboxOptions),
        })),
    }
  },
})

const behave = defineOperation({
  id: 'setSandboxBehaviour',
  method: 'post',
  path: '/admin/v1/sandbox/routes/{routeId}/behaviour',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary:
    'Choose what a route of the sandbox does with the next messages; its owner follows within two seconds',
  access: changes('sandbox'),
  action: 'sandbox behaviour',
  params: { routeId },
  body: { behaviour, cause: Type.Optional(cause), delaySeconds: Type.Optional(delaySeconds) },
  data: record({ id: routeId, behaviour }, 'The change'),
  run: async ({ params: { routeId: id }, body }, { audit, services: { encryption } }) => {
    await setBehaviour(audit, encryption, id, body)
    return { id, behaviour: body.behaviour }
  },
})

const replies = defineOperation({
  id: 'listSandboxReplies',
  method: 'get',
  path: '/admin/v1/sandbox/replies',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'List what a phone of the sandbox has answered, newest first',
  description: `The ${maxReplies} newest.`,
  access: reads('sandbox'),
  action: 'sandbox list',
  query: { to: recipient },
  data: record(
    {
      items: list(
        record(
          {
            replyKey: text('Key of the reply'),
            account: nullable(text('Client id of the account that has got it; null: none')),
            to: text('Number, chatbot or brand that it was written to'),
            text: text('What was written'),
            choice: nullable(oneOf(['opt-out', 'opt-in'], 'What it says about advertisements')),
            at: time('When it was sent'),
          },
          'A reply',
          { title: 'SandboxReply' },
        ),
        'Replies',
      ),
    },
    'Replies',
  ),
  run: async ({ query: { to } }, { database, services: { encryption } }) => {
    const index = await encryption.findBlindIndex(database)
    if (index === undefined) return { items: [] }
    const routeIds = await findSandboxRoutes(database)
    return { items: await readReplies(database, routeIds, index.of(to), maxReplies) }
  },
})

const reply = defineOperation({
  id: 'sendSandboxReply',
  method: 'post',
  path: '/admin/v1/sandbox/messages/{msgKey}/reply',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'Answer a message of the sandbox as its recipient',
  description:
    'The reply takes the way of one that a carrier delivers, to the account of the message and no other. A word such as STOP opts out of the ' +
    'advertisements of that account: it needs a reason and the right to change suppression.',
  access: changes('sandbox'),
  action: 'sandbox reply',
  params: { msgKey },
  body: {
    text: text('What the recipient writes', { minLength: 1, maxLength: maxReplyText }),
    step: Type.Optional(
      whole('The step that is answered; the last one otherwise', { minimum: 1, maximum: 100 }),
    ),
  },
  data: record(
    {
      from: text('Number of the phone'),
      to: text('Number, chatbot or brand that it was written to'),
      account: text('Client id of the account that has got it'),
      advice: nullable(
        text('Why it would not reach the account if a carrier delivered it, and what to do; null: it would'),
      ),
    },
    'A reply',
  ),
  run: async ({ params, body }, { database, audit, services }) => {
    const { message, step, content } = await requireSandboxStep(database, params.msgKey, body.step)
    const route = (await loadRouteRules(database)).find(({ id }) => id === step.route)
    if (route === undefined) throw notFound('route', step.route)
    const { account } = message
    if (account === null)
      throw new OperationError(
        'refused',
        'the account of the message does not exist any more: nobody could read a reply',
      )
    const to = addressesOf(content)
    const sent = { from: message.to, to, text: body.text }
    const choice = choiceIn(services, sent)
    if (choice !== null) await requireForChoice(audit)
    const subject = {
      ...{ target: message.msgKey, account },
      details: { from: maskNumber(message.to), route: route.id, account, choice },
    }
    const { reachesByCarrier } = await audit.around(subject, () =>
      sendReply(services, route, message.accountId, sent),
    )
    const advice = reachesByCarrier
      ? null
      : `a reply over a carrier would not reach ${account}: register ${to[0]!.value} for this account alone (Senders), or give the route ${route.id} this account alone`
    return { from: message.to, to: to[0]!.value, account, advice }
  },
})

/** An invented choice is stored as one of the recipient is: it needs what entering it by hand needs. */
async function requireForChoice(audit: ActAudit): Promise<void> {
  await audit.requireRight('suppression')
  audit.requireReason('a word that opts out or in')
}

export const sandboxActOperations = [routes, behave, replies, reply]
