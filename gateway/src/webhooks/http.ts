/**
 * POST and GET /v1/webhook; GET, PUT and DELETE /v1/webhook/{webhookId}; test, rotate, replay and deliveries below it.
 * An account sees only its own webhooks. Whatever acts on a webhook of replies needs their scope, as its creation does.
 */
import { requireAccount } from '../accounts/request-account.ts'
import { requireScope } from '../accounts/credential.ts'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { PlainAnswer } from '../contract/answer.ts'
import type { Database } from '../platform/database.ts'
import { inClear, type FieldCipher } from '../platform/encryption/field-cipher.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { ResultCode } from '../contract/result-codes.ts'
import type { FormatTime } from '../contract/times.ts'
import {
  addWebhook,
  requireWebhook,
  requireReadable,
  replay,
  rotateSecret,
  testAsOwner,
  type LimitUse,
} from './actions.ts'
import { withMilliseconds } from './body.ts'
import { changeWebhook } from './change.ts'
import { decryptIfReadable } from './encrypted-url.ts'
import type { Guard } from './guard.ts'
import { deleteWebhook, readFailures, readWebhooks } from './queries.ts'
import * as schema from './schema.ts'
import { readTries } from './try-log.ts'
import { invalidWebhookId, type WebhookEvents } from './webhook.ts'
import { hideCauseOfFailure, hideCauseOfTry } from './without-response.ts'

export interface WebhookRoutesOptions {
  readonly database: Database
  readonly guard: Guard
  /** Absent: secrets are stored in clear. */
  readonly cipher?: FieldCipher
  readonly formatTime: FormatTime
  readonly requiresProof?: boolean
  readonly limitUse?: LimitUse
}

type WithId = FastifyRequest<{ Params: { webhookId: string } }>

const success = { code: 'A000', result: 'Success' }
const bodyLimit = 16 * 1024

export function webhookRoutes(options: WebhookRoutesOptions): FastifyPluginCallback {
  const { database, formatTime, limitUse, cipher = inClear } = options
  const byOf = (request: FastifyRequest) => ({ urlSetBy: request.credential?.keyId ?? null })
  const idOf = (request: WithId): string => request.params.webhookId
  const requireEvents = (request: FastifyRequest, events: WebhookEvents | undefined): void => {
    if (events === 'replies' && request.credential) requireScope(request.credential, 'replies')
  }
  /**
   * Whoever sets its URL, knows its secret or has it repeat what it sent can read what it receives; whoever deletes it keeps that from
   * its owner.
   */
  const requireEventsOf = async (request: WithId): Promise<void> => {
    const { events } = await requireWebhook(database, requireAccount(request).id, idOf(request))
    requireEvents(request, events)
  }
  const answers = (answer: object) => ({ bodyLimit, schema: { response: { 200: answer } } })

  return (server, _options, done) => {
    server.post('/v1/webhook', answers(schema.CreatedAnswer), async (request) => {
      const body = readBody(schema.CreateBody, request.body, 'A853')
      requireEvents(request, body.events)
      const webhook = await addWebhook(options, requireAccount(request).id, body, byOf(request))
      return { ...success, data: { ...schema.showWebhook(webhook, formatTime), secret: webhook.secret } }
    })

    server.get('/v1/webhook', answers(schema.ListAnswer), async (request) => {
      const stored = await readWebhooks(database, requireAccount(request).id)
      const webhooks = await Promise.all(
        stored.map((webhook) => decryptIfReadable(database, cipher, webhook)),
      )
      return {
        ...success,
        data: { webhook: webhooks.map((webhook) => schema.showWebhook(webhook, formatTime)) },
      }
    })

    server.get('/v1/webhook/:webhookId', answers(schema.WebhookAnswer), async (request: WithId) => {
      const webhook = await requireReadable(options, requireAccount(request).id, idOf(request))
      return { ...success, data: schema.showWebhook(webhook, formatTime) }
    })

    server.put('/v1/webhook/:webhookId', answers(schema.WebhookAnswer), async (request: WithId) => {
      const body = readBody(schema.ChangeBody, request.body, 'A853')
      await requireEventsOf(request)
      const webhook = await changeWebhook(
        options,
        requireAccount(request).id,
        idOf(request),
        body,
        byOf(request),
      )
      return { ...success, data: schema.showWebhook(webhook, formatTime) }
    })

    server.delete('/v1/webhook/:webhookId', answers(PlainAnswer), async (request: WithId) => {
      await requireEventsOf(request)
      if (!(await deleteWebhook(database, requireAccount(request).id, idOf(request))))
        throw invalidWebhookId()
      return success
    })

    server.post('/v1/webhook/:webhookId/test', answers(schema.TestAnswer), async (request: WithId) => {
      const account = requireAccount(request)
      await requireEventsOf(request)
      const result = await testAsOwner(options, account, idOf(request), formatTime)
      const shown = schema.showTry(result, withMilliseconds(formatTime))
      return { ...success, data: { acknowledged: result.error === '', ...shown } }
    })

    server.post('/v1/webhook/:webhookId/rotate', answers(schema.RotatedAnswer), async (request: WithId) => {
      const body = readBody(schema.RotateBody, request.body ?? {}, 'A853')
      await requireEventsOf(request)
      const rotated = await rotateSecret(options, requireAccount(request).id, idOf(request), body)
      const { secret, previousUntil } = rotated
      return { ...success, data: { secret, previousSecretUntil: formatTime(previousUntil) } }
    })

    server.post('/v1/webhook/:webhookId/replay', answers(schema.ReplayAnswer), async (request: WithId) => {
      const body = readBody(schema.ReplayBody, request.body, 'A854')
      await requireEventsOf(request)
      // A replay of everything starts over each time.
      if (body.allSince !== undefined) await limitUse?.('replay', requireAccount(request).id)
      return {
        ...success,
        data: { reports: await replay(options, requireAccount(request).id, idOf(request), body) },
      }
    })

    server.get(
      '/v1/webhook/:webhookId/deliveries',
      answers(schema.DeliveriesAnswer),
      async (request: WithId) => {
        const { id, timeoutSeconds } = await requireWebhook(
          database,
          requireAccount(request).id,
          idOf(request),
        )
        const precise = withMilliseconds(formatTime)
        const tries = await readTries(database, id)
        const failed = await readFailures(database, id)
        return {
          ...success,
          data: {
            tries: tries
              .toReversed()
              .map((entry) => schema.showTry(hideCauseOfTry(entry, timeoutSeconds * 1000), precise)),
            failed: failed.map((failure) => schema.showFailure(hideCauseOfFailure(failure), precise)),
          },
        }
      },
    )
    done()
  }
}

/** Checks a body against its schema; the error names the first wrong field, with the code that belongs to it. */
function readBody<Schema extends TSchema>(schema: Schema, body: unknown, code: ResultCode): Static<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('A011', 'JSON cannot be mapped: the body must be an object')
  if (Value.Check(schema, body)) return body
  const known = Object.keys((schema as unknown as { properties: object }).properties)
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Problem('A300', `Wrong request: unknown field '${unknown.slice(0, 100)}'`)
  const [first] = Value.Errors(schema, body)
  const missing = (first?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0]
  const field = missing ?? first?.instancePath.split('/')[1] ?? ''
  throw invalidField(
    field === 'url' ? 'A851' : code,
    field,
    missing === undefined ? first?.message : 'it is missing',
  )
}
