/**
 * The route of an operation: authenticated before the body is read and again after it, bounded, checked by its schemas, for a client
 * within its account, and answered with what the schema of the answer describes. Used by `server.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ActAudit } from '../acts/act-audit.ts'
import { clientAddress } from '../api/tokens/address.ts'
import { toAnswer, withoutInternal } from './answer.ts'
import type { AuthenticateOperator, Authenticated, Caller } from './authenticate.ts'
import { requireUnblocked } from './client-blocked.ts'
import type { ClientBounds } from './client-bounds.ts'
import { scopeOf, type ClientScopes } from './client-scope.ts'
import { readOnceId, readVersion } from './headers.ts'
import { inputSchemas, readInput } from './input.ts'
import type { AdminOperation } from './operation.ts'
import { OperationError } from '../acts/errors.ts'
import { toClientError } from './problem.ts'
import { maxChanges, type AdminServices } from './services.ts'
import type { CookieNames } from './sign-in/cookies.ts'
import type { RequestSlots, Slot } from './slots.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operator: Authenticated | null
    bodySlot: Slot | null
  }
}

export interface Bounds {
  readonly slots: RequestSlots
  /** Of each account; `clientBounds` bounds what runs of all together. */
  readonly clientSlots: RequestSlots
  /** Of requests whose body has not come yet. */
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
  { slots, clientSlots, bodies, changes, clientBounds, clientScopes, cookies }: Bounds,
): void {
  const schemas = inputSchemas(operation)
  const scope = scopeOf(operation)
  const { access, action } = operation
  /**
   * A body may come half a minute after its headers: whoever was signed out, disabled or blocked meanwhile must not act. Without a body
   * the handler follows at once.
   */
  const authenticatedNow = (request: FastifyRequest): Promise<Authenticated> =>
    operation.method === 'get'
      ? Promise.resolve(request.operator!)
      : authenticate({ ...callerOf(request, services, operation), active: false }, operation)
  server.route({
    method: operation.method.toUpperCase(),
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.maxBodyBytes === undefined ? {} : { bodyLimit: operation.maxBodyBytes }),
    onRequest: async (request, reply) => {
      request.operator = await authenticate(callerOf(request, services, operation), operation)
      if (operation.method !== 'get')
        request.bodySlot = bodies.take(ownerOf(request.operator.signed), request, reply)
    },
    handler: (request, reply) => {
      const { signed } = request.operator!
      request.bodySlot?.close()
      const slot = (signed.account === null ? slots : clientSlots).take(ownerOf(signed), request, reply)
      return slot.during(() => answer(request, reply))
    },
  })

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<object> {
    const { act, signature, signed } = await authenticatedNow(request)
    const changing = access.kind === 'change'
    const onceId = changing ? readOnceId(request.headers['idempotency-key'], signed.name) : undefined
    const requestId = onceId ?? act.requestId
    void reply.header('request-id', requestId)
    const { reason, ...given } = readInput(schemas, request)
    const { account } = signed
    const ifMatch = readVersion(request.headers['if-match'])
    const reads = account === null ? services.reads : services.clientReads
    const database = changing ? services.writes : reads
    const run = { command: action, audited: false, once: onceId !== undefined }
    const audit = new ActAudit(database, run, { act: { ...act, requestId, reason }, signature })
    const setCookie = (cookie: string): void => void reply.header('set-cookie', cookie)
    const context = { services, database, audit, signed, ifMatch, cookies, setCookie }
    const work = async (): Promise<unknown> => {
      if (account === null) return audit.once(() => operation.run(given, context))
      const caller = { account, act: { ...act, requestId } }
      try {
        return await audit.once(async () => {
          const own = await clientScopes.narrow(operation, scope, given, caller, database)
          return withoutInternal(operation.data, await operation.run(own, context))
        })
      } catch (error) {
        throw toClientError(error)
      }
    }
    const change = (): Promise<unknown> => whileFree(changes, work)
    const bounded = (): Promise<unknown> => {
      if (account === null) return changing ? change() : work()
      if (operation.signsOut === true) {
        // It ends sessions of the caller alone, in a moment: whatever others do, a client can sign out.
        clientBounds.countSignOut(signed.name)
        return clientBounds.inTurn('sign-out', account, work)
      }
      if (changing) requireUnblocked(operation, account)
      // What is recorded is bounded, too: a client must not fill the audit log.
      if (changing || reason !== '') clientBounds.count(account)
      if (operation.searches === true) clientBounds.countSearch(account)
      if (!changing) return clientBounds.inTurn('read', account, work)
      return operation.pushes?.(given) === true
        ? clientBounds.during('push', account, work)
        : clientBounds.during('change', account, change)
    }
    const data = await bounded()
    if (changing && !run.audited) throw new Error(`${operation.id} has recorded nothing in the audit log`)
    return { code: 'success', result: 'Success', data: toAnswer(operation.data, data) }
  }
}

/** Whose requests count together: no name of an operator has a space. */
function ownerOf({ name, account }: Authenticated['signed']): string {
  return account === null ? name : `account ${account.clientId}`
}

/** A page that keeps itself up to date says so: the session of somebody who has left it ends. */
const backgroundHeader = 'postern-background'

/** No page changes or exports anything on its own: there the header says nothing, and the session is in use. */
export function callerOf(
  { headers, socket }: FastifyRequest,
  { config }: AdminServices,
  { method }: AdminOperation,
): Caller {
  const address = clientAddress({ headers, socket }, config.adminProxyHops)
  return { headers, address, active: method !== 'get' || headers[backgroundHeader] === undefined }
}

/** Each change uses several connections: more at once would wait for each other's. */
async function whileFree<T>(changes: { running: number }, work: () => Promise<T>): Promise<T> {
  if (changes.running >= maxChanges)
    throw new OperationError(
      'too-many-requests',
      `${maxChanges} changes are in progress; repeat the request`,
      { retryAfterSeconds: 1 },
    )
  changes.running += 1
  try {
    return await work()
  } finally {
    changes.running -= 1
  }
}
