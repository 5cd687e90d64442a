/**
 * Requests of Google to the webhook: the handshake when it is configured, events and messages of users. Of a request only
 * the envelope is read before its signature is verified, which is of the data in it. What is authentic is acknowledged even if it cannot be read, because Google repeats it
 * for seven days and meanwhile delays the events of the partner's other agents. Pure; runs in API processes.
 */
import { createHmac } from 'node:crypto'
import type { Inbound, InboundRequest, InboundResult } from '../kind.ts'
import { isSameSecret } from '../secrets.ts'
import type { Reply } from '../reply.ts'
import { readUserData, type UserReply } from './events.ts'
import { fieldsOf, parseObject, textOf } from '../json.ts'
import type { RbmOptions } from './options.ts'

const maxSecretLength = 1_024

type InboundOptions = Pick<RbmOptions, 'clientToken' | 'agents' | 'agentId'>

export function rbmInbound(options: InboundOptions): Inbound {
  const { clientToken } = options
  return (request) => {
    if (request.method !== 'POST') return answer(405)
    const body = parseObject(request.body.toString())
    if (body === null) return answer(400)
    if (body['message'] === undefined) return handshake(clientToken, body)
    const data = Buffer.from(textOf(fieldsOf(body['message'])['data']), 'base64')
    if (!isSigned(clientToken, request, data)) return answer(401)
    const { receipts, events, replies } = readUserData(data)
    const ours = replies.flatMap((reply) => toReply(options, reply))
    return { receipts, events, ...(ours.length === 0 ? {} : { replies: ours }), answer: { status: 200 } }
  }
}

/** The webhook of a partner receives the events of all its agents, also of those that other systems use. */
function toReply({ agents, agentId: standard }: InboundOptions, { agentId, ...reply }: UserReply): Reply[] {
  const brands = Object.entries(agents).filter(([, agent]) => agent === agentId)
  if (brands.length > 0) return [{ ...reply, to: brands.map(([value]) => ({ kind: 'brand', value })) }]
  return agentId === standard ? [{ ...reply, to: [] }] : []
}

/** Google expects its secret back. */
function handshake(clientToken: string, body: Readonly<Record<string, unknown>>): InboundResult {
  const secret = textOf(body['secret'])
  if (!isSameSecret(textOf(body['clientToken']), clientToken)) return answer(401)
  if (secret === '' || secret.length > maxSecretLength) return answer(400)
  return {
    receipts: [],
    events: ['webhook-verified'],
    answer: { status: 200, contentType: 'text/plain; charset=utf-8', body: secret },
  }
}

/** Base64 of the HMAC-SHA512 of the decoded data, with the client token as its key. */
function isSigned(clientToken: string, { headers }: InboundRequest, data: Buffer): boolean {
  const given = headers['x-goog-signature']
  const expected = createHmac('sha512', clientToken).update(data).digest('base64')
  return typeof given === 'string' && isSameSecret(given, expected)
}

function answer(status: number): InboundResult {
  return { receipts: [], answer: { status } }
}
