/**
 * Adds the HTTP route of an operation: authenticates before the body is read and again after it, enforces
 * limits, validates the input, restricts a client to its account, and serializes the response by its schema.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AuditRecorder } from '../operations/audit-recorder.ts'
import { clientAddress } from '../edge/api/tokens/address.ts'
import { toResponse, withoutInternal } from '../operations/response.ts'
import type { AuthenticateOperator, AuthenticatedOperator, Caller } from './authenticate.ts'
import type { ClientBounds } from './client-bounds.ts'
import { resolveScope, type ClientScopes } from './client-scope.ts'
import { readOnceId, readVersion } from './headers.ts'
import { inputSchemas, readInput } from '../operations/input.ts'
import type { OwnAccount } from '../identity/operators/queries.ts'
import type { AdminOperation } from '../operations/operation.ts'
import { OperationError } from '../operations/errors.ts'
import { toClientError } from '../operations/problem.ts'
import { maxChanges, type AdminServices } from '../operations/services.ts'
import type { CookieNames } from '../operations/operation.ts'
import type { RequestSlots, RequestSlot } from '../operations/slots.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: AuthenticatedOperator | null
    bodySlot: RequestSlot | null
  }
}

export interface RequestLimits {
  readonly slots: RequestSlots
  /** Slots of each account; `clientBounds` limits all accounts together. */
  readonly clientSlots: RequestSlots
  /** Slots of requests whose body has not arrived. */
  readonly bodies: RequestSlots
  readonly changes: { running: number }
  readonly clientBounds: ClientBounds
  readonly clientScopes: ClientScopes
  readonly cookies: CookieNames
}

export function addRoute(
  server: FastifyInstance,
  services: AdminServices,
  operation: AdminOperation,
  authenticate: AuthenticateOperator,
  { slots, clientSlots, bodies, changes, clientBounds, clientScopes, cookies }: RequestLimits,
): void {
  const schemas = inputSchemas(operation)
  const scope = resolveScope(operation)
  const { access, action } = operation
  /**
   * A body can arrive half a minute after its headers; the caller may have been signed out, disabled or
   * blocked in the meantime. Without a body the handler follows immediately.
   */
  const authenticatedNow = (request: FastifyRequest): Promise<AuthenticatedOperator> =>
    operation.method === 'get'
      ? Promise.resolve(request.operator!)
      : authenticate({ ...toCaller(request, services, operation), active: false }, operation)
  server.route({
    method: operation.method.toUpperCase(),
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.maxBodyBytes === undefined ? {} : { bodyLimit: operation.maxBodyBytes }),
    onRequest: async (request, reply) => {
      request.operator = await authenticate(toCaller(request, services, operation), operation)
      if (operation.method !== 'get')
        request.bodySlot = bodies.take(requesterKey(request.operator.signed), request, reply)
    },
    handler: (request, reply) => {
      const { signed } = request.operator!
      request.bodySlot?.close()
      const slot = (signed.account === null ? slots : clientSlots).take(requesterKey(signed), request, reply)
      return slot.during(() => answer(request, reply))
    },
  })

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<object> {
    const { act, signature, signed } = await authenticatedNow(request)
    const isChange = access.kind === 'change'
    const onceId = isChange ? readOnceId(request.headers['idempotency-key'], signed.name) : undefined
    const requestId = onceId ?? act.requestId
    void reply.header('request-id', requestId)
    const { reason, ...given } = readInput(schemas, request)
    const { account } = signed
    const ifMatch = readVersion(request.headers['if-match'])
    const reads = account === null ? services.reads : services.clientReads
    const database = isChange ? services.writes : reads
    const run = { command: action, audited: false, once: onceId !== undefined }
    const audit = new AuditRecorder(database, run, { act: { ...act, requestId, reason }, signature })
    const setCookie = (cookie: string): void => void reply.header('set-cookie', cookie)
    const context = { services, database, audit, signed, ifMatch, cookies, setCookie }
    const work = async (): Promise<unknown> => {
      if (account === null) return audit.once(() => operation.run(given, context))
      const caller = { account, act: { ...act, requestId } }
      try {
        return await audit.once(async () => {
          const narrowedInput = await clientScopes.narrow(operation, scope, given, caller, database)
          return withoutInternal(operation.data, await operation.run(narrowedInput, context))
        })
      } catch (error) {
        throw toClientError(error)
      }
    }
    const change = (): Promise<unknown> => whileFree(changes, work)
    const bounded = (): Promise<unknown> => {
      if (account === null) return isChange ? change() : work()
      if (operation.signsOut === true) {
        // Signing out ends only sessions of the caller and is quick, so a client can always do it.
        clientBounds.countSignOut(signed.name)
        return clientBounds.inTurn('sign-out', account, work)
      }
      if (isChange) requireUnblocked(operation, account)
      // Recorded requests are limited as well: a client must not fill the audit log.
      if (isChange || reason !== '') clientBounds.count(account)
      if (operation.searches === true) clientBounds.countSearch(account)
      if (!isChange) return clientBounds.inTurn('read', account, work)
      return operation.pushes?.(given) === true
        ? clientBounds.during('push', account, work)
        : clientBounds.during('change', account, change)
    }
    const data = await bounded()
    if (isChange && !run.audited) throw new Error(`${operation.id} has recorded nothing in the audit log`)
    return { code: 'success', result: 'Success', data: toResponse(operation.data, data) }
  }
}

/** Returns the key under which requests are counted together. Operator names contain no spaces. */
function requesterKey({ name, account }: AuthenticatedOperator['signed']): string {
  return account === null ? name : `account ${account.clientId}`
}

/** Sent by pages that refresh themselves, so that the session of an absent user still expires. */
const backgroundHeader = 'postern-background'

/** Changes and exports are never automatic, so the header is ignored for them. */
export function toCaller(
  { headers, socket }: FastifyRequest,
  { config }: AdminServices,
  { method }: AdminOperation,
): Caller {
  const address = clientAddress({ headers, socket }, config.adminProxyHops)
  return { headers, address, active: method !== 'get' || headers[backgroundHeader] === undefined }
}

/** Each change uses several connections; more concurrent changes would wait for each other. */
async function whileFree<T>(changes: { running: number }, work: () => Promise<T>): Promise<T> {
  if (changes.running >= maxChanges)
    throw new OperationError('too-many-requests', `${maxChanges} changes are in progress; retry`, {
      retryAfterSeconds: 1,
    })
  changes.running += 1
  try {
    return await work()
  } finally {
    changes.running -= 1
  }
}

/** Throws for a change that must wait until the account is unblocked: a blocked client can read, revoke and sign out. */
function requireUnblocked(
  { clientWhileBlocked = false }: Pick<AdminOperation, 'clientWhileBlocked'>,
  { clientId, blocked }: OwnAccount,
): void {
  if (blocked && !clientWhileBlocked)
    throw new OperationError(
      'account-blocked',
      `account '${clientId}' is blocked; only reading, revoking credentials and signing out are allowed. Ask the gateway operator to unblock it, then retry`,
    )
}
