import { requireAccount } from '../../identity/accounts/request-account.ts'
import { requireScope } from '../../identity/accounts/credential.ts'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { StatusResponse } from '../../contract/response.ts'
import type { Database } from '../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { FormatTime } from '../../contract/times.ts'
import {
  addWebhook,
  requireWebhook,
  requireWebhookWithUrlIfReadable,
  replayPushes,
  rotateSecret,
  testAsOwner,
  type LimitUse,
} from './actions.ts'
import { withMilliseconds } from './body.ts'
import { changeWebhook } from './change.ts'
import { decryptIfReadable } from './encrypted-url.ts'
import type { Guard } from './guard.ts'
import { deleteWebhook, readFailedDeliveries, readWebhooks } from './queries.ts'
import * as schema from './schema.ts'
import { readAttemptLog } from './push/attempt-log.ts'
import { invalidWebhookId, type WebhookEvents } from './webhook.ts'
import { redactFailureError, redactTryError } from './push/without-response.ts'

export interface WebhookRoutesOptions {
  readonly database: Database
  readonly guard: Guard
  /** Secrets and URLs are stored in plaintext if undefined. */
  readonly cipher?: FieldCipher
  readonly formatTime: FormatTime
  readonly requiresProof?: boolean
  readonly limitUse?: LimitUse
}

type WithId = FastifyRequest<{ Params: { webhookId: string } }>

const success = { code: 'A000', result: 'Success' }
const bodyLimit = 16 * 1024

/**
 * Registers POST and GET /v1/webhook, GET, PUT and DELETE /v1/webhook/{webhookId}, and test, rotate, replay and
 * deliveries below it. An account sees only its own webhooks. Every change, test or replay of a webhook for
 * replies needs their scope, as its creation does; reading it does not.
 */
export function webhookRoutes(options: WebhookRoutesOptions): FastifyPluginCallback {
  const { database, formatTime, limitUse, cipher = plaintextCipher } = options
  const getUrlSetter = (request: FastifyRequest) => ({ urlSetBy: request.credential?.keyId ?? null })
  const getId = (request: WithId): string => request.params.webhookId
  const requireEvents = (request: FastifyRequest, events: WebhookEvents | undefined): void => {
    if (events === 'replies' && request.credential) requireScope(request.credential, 'replies')
  }
  /**
   * Requires the scope of the webhook's events: a client that sets the URL, knows the secret or replays can
   * read everything the webhook receives, and one that deletes it withholds that from its owner.
   */
  const requireEventScope = async (request: WithId): Promise<void> => {
    const { events } = await requireWebhook(database, requireAccount(request).id, getId(request))
    requireEvents(request, events)
  }
  const response = (body: object) => ({ bodyLimit, schema: { response: { 200: body } } })

  return (server, _options, done) => {
    server.post('/v1/webhook', response(schema.CreatedWebhookResponse), async (request) => {
      const body = readBody(schema.CreateBody, request.body, 'A853')
      requireEvents(request, body.events)
      const webhook = await addWebhook(options, requireAccount(request).id, body, getUrlSetter(request))
      return { ...success, data: { ...schema.showWebhook(webhook, formatTime), secret: webhook.secret } }
    })

    server.get('/v1/webhook', response(schema.WebhookListResponse), async (request) => {
      const stored = await readWebhooks(database, requireAccount(request).id)
      const webhooks = await Promise.all(
        stored.map((webhook) => decryptIfReadable(database, cipher, webhook)),
      )
      return {
        ...success,
        data: { webhook: webhooks.map((webhook) => schema.showWebhook(webhook, formatTime)) },
      }
    })

    server.get('/v1/webhook/:webhookId', response(schema.WebhookResponse), async (request: WithId) => {
      const webhook = await requireWebhookWithUrlIfReadable(
        options,
        requireAccount(request).id,
        getId(request),
      )
      return { ...success, data: schema.showWebhook(webhook, formatTime) }
    })

    server.put('/v1/webhook/:webhookId', response(schema.WebhookResponse), async (request: WithId) => {
      const body = readBody(schema.ChangeBody, request.body, 'A853')
      await requireEventScope(request)
      const webhook = await changeWebhook(
        options,
        requireAccount(request).id,
        getId(request),
        body,
        getUrlSetter(request),
      )
      return { ...success, data: schema.showWebhook(webhook, formatTime) }
    })

    server.delete('/v1/webhook/:webhookId', response(StatusResponse), async (request: WithId) => {
      await requireEventScope(request)
      if (!(await deleteWebhook(database, requireAccount(request).id, getId(request))))
        throw invalidWebhookId()
      return success
    })

    server.post(
      '/v1/webhook/:webhookId/test',
      response(schema.WebhookTestResponse),
      async (request: WithId) => {
        const account = requireAccount(request)
        await requireEventScope(request)
        const result = await testAsOwner(options, account, getId(request), formatTime)
        const attemptFields = schema.showAttempt(result, withMilliseconds(formatTime))
        return { ...success, data: { acknowledged: result.error === '', ...attemptFields } }
      },
    )

    server.post(
      '/v1/webhook/:webhookId/rotate',
      response(schema.RotatedSecretResponse),
      async (request: WithId) => {
        const body = readBody(schema.RotateBody, request.body ?? {}, 'A853')
        await requireEventScope(request)
        const rotated = await rotateSecret(options, requireAccount(request).id, getId(request), body)
        const { secret, previousUntil } = rotated
        return { ...success, data: { secret, previousSecretUntil: formatTime(previousUntil) } }
      },
    )

    server.post('/v1/webhook/:webhookId/replay', response(schema.ReplayResponse), async (request: WithId) => {
      const body = readBody(schema.ReplayBody, request.body, 'A854')
      await requireEventScope(request)
      // A replay of all reports starts over each time, so it is limited.
      if (body.allSince !== undefined) await limitUse?.('replay', requireAccount(request).id)
      return {
        ...success,
        data: { reports: await replayPushes(options, requireAccount(request).id, getId(request), body) },
      }
    })

    server.get(
      '/v1/webhook/:webhookId/deliveries',
      response(schema.DeliveriesResponse),
      async (request: WithId) => {
        const { id, timeoutSeconds } = await requireWebhook(
          database,
          requireAccount(request).id,
          getId(request),
        )
        const precise = withMilliseconds(formatTime)
        const tries = await readAttemptLog(database, id)
        const failed = await readFailedDeliveries(database, id)
        return {
          ...success,
          data: {
            tries: tries
              .toReversed()
              .map((entry) => schema.showAttempt(redactTryError(entry, timeoutSeconds * 1000), precise)),
            failed: failed.map((failure) => schema.showFailure(redactFailureError(failure), precise)),
          },
        }
      },
    )
    done()
  }
}

/**
 * Checks a body against its schema; the error names the first invalid field, with the code that belongs to
 * it.
 */
function readBody<Body extends TSchema>(bodySchema: Body, body: unknown, code: ResultCode): Static<Body> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('A011', 'JSON cannot be mapped: the body must be an object')
  if (Value.Check(bodySchema, body)) return body
  const fieldNames = Object.keys((bodySchema as unknown as { properties: object }).properties)
  const unknown = Object.keys(body).find((name) => !fieldNames.includes(name))
  if (unknown !== undefined)
    throw new Problem('A300', `Wrong request: unknown field '${unknown.slice(0, 100)}'`)
  const [first] = Value.Errors(bodySchema, body)
  const missing = (first?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0]
  const field = missing ?? first?.instancePath.split('/')[1] ?? ''
  throw invalidField(
    field === 'url' ? 'A851' : code,
    field,
    missing === undefined ? first?.message : 'is required',
  )
}
