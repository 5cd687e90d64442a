/**
 * POST /v1/form; GET, PUT and DELETE /v1/form/{formId}: flows that are registered once and sent by their id.
 */
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { responseSchema, StatusResponse, timeField } from '../../contract/response.ts'
import { Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import {
  createFormId,
  formBodyBytes,
  formLifetimeMs,
  formsPerAccount,
  invalidFormId,
  isFormId,
  type Form,
} from './form.ts'
import type { FormLookup } from './lookup.ts'
import { deleteForm, findForm, insertForm, replaceForm } from './queries.ts'
import { readFormFlow, type CheckFlow } from './read-flow.ts'

const formId = Type.String({ description: 'Id of the form, for messageForm of omni sends' })
const expired = timeField('When the form expires, a year after its last change')
/** Published clients reject any other field in `data`. */
export const FormResponse = responseSchema({ formId, expired }, 'The form and its expiry')
export const FormContentResponse = responseSchema(
  {
    formId,
    messageForm: Type.Array(Type.Unknown(), {
      description: 'The messages as they were registered, in order',
    }),
    expired,
  },
  'The form',
)

export interface FormRoutesOptions {
  readonly database: Database
  readonly checkFlow: CheckFlow
  /**
   * Converts the bodies of published SDKs into the format that `checkFlow` expects; by default no conversion.
   */
  readonly normalize?: (body: unknown) => unknown
  readonly formatTime: FormatTime
  /** Counts from the registration, and again from each change. */
  readonly lifetimeMs?: number
  readonly maxForms?: number
  /** The lookup of this process, so that its sends use a change immediately. */
  readonly lookup?: Pick<FormLookup, 'forget'>
  readonly now?: () => Date
}

type WithId = FastifyRequest<{ Params: { formId: string } }>

export function formRoutes(options: FormRoutesOptions): FastifyPluginCallback {
  const { database, checkFlow, formatTime, lookup, normalize = (body) => body } = options
  const { lifetimeMs = formLifetimeMs, maxForms = formsPerAccount, now = () => clock.date() } = options

  function parseForm(request: FastifyRequest, id: string, at: Date): Form {
    return {
      id,
      accountId: requireAccount(request).id,
      flow: readFormFlow(normalize(request.body), checkFlow),
      expiresAt: new Date(at.getTime() + lifetimeMs),
    }
  }

  async function register(request: FastifyRequest): Promise<Static<typeof FormResponse>> {
    const at = now()
    const form = parseForm(request, createFormId(at), at)
    if (!(await insertForm(database, form, at, maxForms))) {
      throw new Problem(
        'A300',
        `Wrong request: an account can have at most ${maxForms} forms; delete one or change one with PUT`,
      )
    }
    return registered(form)
  }

  async function change(request: WithId): Promise<Static<typeof FormResponse>> {
    const at = now()
    const form = parseForm(request, requireFormId(request), at)
    const changed = await replaceForm(database, form, at)
    lookup?.forget(form.id)
    if (!changed) throw invalidFormId()
    return registered(form)
  }

  const registered = ({ id, expiresAt }: Form): Static<typeof FormResponse> => ({
    code: 'A000',
    result: 'Success',
    data: { formId: id, expired: formatTime(expiresAt) },
  })

  async function show(request: WithId): Promise<Static<typeof FormContentResponse>> {
    // Bypass the cache, so that a client sees a change immediately.
    const form = await findForm(database, requireFormId(request))
    if (form === null || form.accountId !== requireAccount(request).id || form.expiresAt <= now()) {
      throw invalidFormId()
    }
    const { id, flow, expiresAt } = form
    return {
      code: 'A000',
      result: 'Success',
      data: { formId: id, messageForm: [...flow], expired: formatTime(expiresAt) },
    }
  }

  async function remove(request: WithId): Promise<Static<typeof StatusResponse>> {
    const id = requireFormId(request)
    const removed = await deleteForm(database, requireAccount(request).id, id, now())
    lookup?.forget(id)
    if (!removed) throw invalidFormId()
    return { code: 'A000', result: 'Success' }
  }

  return (server, _options, done) => {
    const writing = { bodyLimit: formBodyBytes, schema: { response: { 200: FormResponse } } }
    server.post('/v1/form', writing, register)
    server.put('/v1/form/:formId', writing, change)
    server.get('/v1/form/:formId', { schema: { response: { 200: FormContentResponse } } }, show)
    server.delete('/v1/form/:formId', { schema: { response: { 200: StatusResponse } } }, remove)
    done()
  }
}

function requireFormId(request: WithId): string {
  const { formId } = request.params
  if (!isFormId(formId)) throw invalidFormId()
  return formId
}
