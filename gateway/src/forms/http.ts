/** POST /v1/form; GET, PUT and DELETE /v1/form/{formId}: flows that are registered once and sent by their id. */
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Database } from '../platform/database.ts'
import { Problem } from '../platform/problem.ts'
import type { FormatTime } from '../platform/times.ts'
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
import { readFlow, type CheckFlow } from './read-flow.ts'

const text = Type.String()
/** Published clients refuse any other field in `data`. */
const Registered = Type.Object({
  code: text,
  result: text,
  data: Type.Object({ formId: text, expired: text }),
})
const Found = Type.Object({
  code: text,
  result: text,
  data: Type.Object({ formId: text, messageForm: Type.Array(Type.Unknown()), expired: text }),
})

export interface FormRoutesOptions {
  readonly database: Database
  readonly checkFlow: CheckFlow
  readonly formatTime: FormatTime
  readonly accountOf: (request: FastifyRequest) => Account
  /** From the registration, and again from each change. */
  readonly lifetimeMs?: number
  readonly maxForms?: number
  /** The look-up of this process, so that a send here never sees what was changed here before. */
  readonly lookup?: Pick<FormLookup, 'forget'>
  readonly now?: () => Date
}

type WithId = FastifyRequest<{ Params: { formId: string } }>

export function formRoutes(options: FormRoutesOptions): FastifyPluginCallback {
  const { database, checkFlow, formatTime, accountOf, lookup } = options
  const { lifetimeMs = formLifetimeMs, maxForms = formsPerAccount, now = () => new Date() } = options

  function formOf(request: FastifyRequest, id: string, at: Date): Form {
    return {
      id,
      accountId: accountOf(request).id,
      flow: readFlow(request.body, checkFlow),
      expiresAt: new Date(at.getTime() + lifetimeMs),
    }
  }

  async function register(request: FastifyRequest): Promise<Static<typeof Registered>> {
    const at = now()
    const form = formOf(request, createFormId(at), at)
    if (!(await insertForm(database, form, at, maxForms))) {
      throw new Problem(
        'A300',
        `Wrong request: the account has ${maxForms} forms, the most it may have; delete one or change one by PUT`,
      )
    }
    return registered(form)
  }

  async function change(request: WithId): Promise<Static<typeof Registered>> {
    const at = now()
    const form = formOf(request, idOf(request), at)
    const changed = await replaceForm(database, form, at)
    lookup?.forget(form.id)
    if (!changed) throw invalidFormId()
    return registered(form)
  }

  const registered = ({ id, expiresAt }: Form): Static<typeof Registered> => ({
    code: 'A000',
    result: 'Success',
    data: { formId: id, expired: formatTime(expiresAt) },
  })

  async function show(request: WithId): Promise<Static<typeof Found>> {
    // Read and not looked up: who asks after a change sees the change.
    const form = await findForm(database, idOf(request))
    if (form === null || form.accountId !== accountOf(request).id || form.expiresAt <= now()) {
      throw invalidFormId()
    }
    const { id, flow, expiresAt } = form
    return {
      code: 'A000',
      result: 'Success',
      data: { formId: id, messageForm: [...flow], expired: formatTime(expiresAt) },
    }
  }

  async function remove(request: WithId): Promise<{ code: string; result: string }> {
    const id = idOf(request)
    const removed = await deleteForm(database, accountOf(request).id, id, now())
    lookup?.forget(id)
    if (!removed) throw invalidFormId()
    return { code: 'A000', result: 'Success' }
  }

  return (server, _options, done) => {
    const writing = { bodyLimit: formBodyBytes, schema: { response: { 200: Registered } } }
    server.post('/v1/form', writing, register)
    server.put('/v1/form/:formId', writing, change)
    server.get('/v1/form/:formId', { schema: { response: { 200: Found } } }, show)
    server.delete('/v1/form/:formId', remove)
    done()
  }
}

function idOf(request: WithId): string {
  const { formId } = request.params
  if (!isFormId(formId)) throw invalidFormId()
  return formId
}
