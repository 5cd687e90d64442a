/** Operations of testers in the sandbox: reply as the recipient, and choose how the carrier behaves. */
import { Type } from 'typebox'
import type { AuditRecorder } from '../audit-recorder.ts'
import { setBehaviour } from './sign.ts'
import {
  behaviours,
  carrierCauses,
  type SandboxOptions,
} from '../../carriers/connectors/sandbox/behaviour.ts'
import { readOptions } from '../../carriers/connectors/registry.ts'
import { maxReplyText } from '../../carriers/connectors/reply.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { loadRouteRules, loadRoutes } from '../../carriers/routes/queries.ts'
import { flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { notFound, OperationError } from '../errors.ts'
import { findSandboxRoutes } from './find.ts'
import { findReplyAddresses, readAdvertisingChoice, readReplies, sendReply } from './replies.ts'
import { routeId } from '../routes/fields.ts'
import { msgKey, recipient, requireSandboxStep } from './operations.ts'

const maxReplies = 50

const behaviour = oneOf(
  behaviours,
  'by-number: the last four digits of the recipient decide; slow: delivered after delaySeconds; failed: by a receipt; refused: immediately; no-receipt: accepted without receipt; throttled: rate-limited by the carrier; unreachable: the link is down',
)
const cause = oneOf(carrierCauses, 'Why messages fail or are refused')
const delaySeconds = whole('Seconds until the receipt of a slow carrier', { minimum: 1, maximum: 600 })

const routesOperation = defineOperation({
  id: 'listSandboxRoutes',
  method: 'get',
  path: '/admin/v1/sandbox/routes',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'List the sandbox routes with their behaviour',
  access: readAccess('sandbox'),
  action: 'sandbox list',
  data: record(
    {
      items: list(
        record(
          {
            id: routeId,
            channels: list(text('A channel'), 'Channels that it serves'),
            enabled: flag('Whether it is enabled'),
            behaviour,
            cause,
            delaySeconds,
          },
          'A sandbox route',
          { title: 'SandboxRoute' },
        ),
        'Routes, in order of preference',
      ),
    },
    'Sandbox routes',
  ),
  run: async (_input, { database, services: { encryption } }) => {
    const stored = await loadRoutes(database, encryption)
    return {
      items: stored
        .filter(({ protocol }) => protocol === 'sandbox')
        .map(({ id, channels, enabled, options }) => ({
          id,
          channels: [...channels],
          enabled,
          ...(readOptions('sandbox', options) as unknown as SandboxOptions),
        })),
    }
  },
})

const setBehaviourOperation = defineOperation({
  id: 'setSandboxBehaviour',
  method: 'post',
  path: '/admin/v1/sandbox/routes/{routeId}/behaviour',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'Set the behaviour of a sandbox route for the next messages; its owner follows within two seconds',
  access: writeAccess('sandbox'),
  action: 'sandbox behaviour',
  params: { routeId },
  body: { behaviour, cause: Type.Optional(cause), delaySeconds: Type.Optional(delaySeconds) },
  data: record({ id: routeId, behaviour }, 'The change'),
  run: async ({ params: { routeId: id }, body }, { audit, services: { encryption } }) => {
    await setBehaviour(audit, encryption, id, body)
    return { id, behaviour: body.behaviour }
  },
})

const repliesOperation = defineOperation({
  id: 'listSandboxReplies',
  method: 'get',
  path: '/admin/v1/sandbox/replies',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'List the replies of a sandbox phone, newest first',
  description: `Returns the newest ${maxReplies}.`,
  access: readAccess('sandbox'),
  action: 'sandbox list',
  query: { to: recipient },
  data: record(
    {
      items: list(
        record(
          {
            replyKey: text('Key of the reply'),
            account: nullable(text('Client ID of the account that received it; null if there is none')),
            to: text('Recipient of the reply: number, chatbot or brand'),
            text: text('Text of the reply'),
            choice: nullable(oneOf(['opt-out', 'opt-in'], 'Advertising choice in the text')),
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

const replyOperation = defineOperation({
  id: 'sendSandboxReply',
  method: 'post',
  path: '/admin/v1/sandbox/messages/{msgKey}/reply',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'Reply to a sandbox message as its recipient',
  description:
    'The reply is processed like one delivered by a carrier, but only for the account of the message. A word such as STOP opts out of the ' +
    'advertisements of that account, which requires a reason and the right to change suppression.',
  access: writeAccess('sandbox'),
  action: 'sandbox reply',
  params: { msgKey },
  body: {
    text: text('Text of the reply', { minLength: 1, maxLength: maxReplyText }),
    step: Type.Optional(whole('Step to reply to; the last by default', { minimum: 1, maximum: 100 })),
  },
  data: record(
    {
      from: text('Number of the phone'),
      to: text('Recipient of the reply: number, chatbot or brand'),
      account: text('Client ID of the account that received it'),
      advice: nullable(
        text('Why a reply over a carrier would not reach the account, and what to do; null if it would'),
      ),
    },
    'A reply',
  ),
  run: async ({ params, body }, { database, audit, services }) => {
    const { message, step, content } = await requireSandboxStep(database, params.msgKey, body.step)
    const route = (await loadRouteRules(database)).find(({ id }) => id === step.route)
    if (route === undefined) throw notFound('route', step.route)
    const { account } = message
    if (account === null) throw new OperationError('refused', 'the account of the message no longer exists')
    const to = findReplyAddresses(content)
    const sent = { from: message.to, to, text: body.text }
    const choice = readAdvertisingChoice(services, sent)
    if (choice !== null) await requireForChoice(audit)
    const subject = {
      target: message.msgKey,
      account,
      details: { from: maskNumber(message.to), route: route.id, account, choice },
    }
    const { reachesByCarrier } = await audit.around(subject, () =>
      sendReply(services, route, message.accountId, sent),
    )
    const advice = reachesByCarrier
      ? null
      : `a reply over a carrier would not reach ${account}; register ${to[0]!.value} only for this account (Senders), or assign only this account to route ${route.id}`
    return { from: message.to, to: to[0]!.value, account, advice }
  },
})

/** An opt-out that a tester invents needs the same reason and right as one that an operator enters. */
async function requireForChoice(audit: AuditRecorder): Promise<void> {
  await audit.requireRight('suppression')
  audit.requireReason('replies that opt out or in')
}

export const sandboxChangeOperations = [
  routesOperation,
  setBehaviourOperation,
  repliesOperation,
  replyOperation,
]
