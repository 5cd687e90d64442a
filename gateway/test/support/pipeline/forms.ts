/** Serves the form endpoints; a header selects the account. */
import { asAccount } from '../as-account.ts'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { defaultSettings, type Account } from '../../../src/identity/accounts/account.ts'
import { invalidField } from '../../../src/contract/problem.ts'
import { createTimeFormat } from '../../../src/contract/times.ts'
import { formRoutes, type FormRoutesOptions } from '../../../src/records/forms/http.ts'
import type { CheckFlow } from '../../../src/records/forms/read-flow.ts'

export const formFlow = [{ alimtalk: { text: 'Dear #{name}' } }, { sms: { text: 'Hello' } }]
/** The only flow that `checkFlow` rejects here. */
export const failingFlow = [{ sms: { from: 'nobody' } }]

const checkFlow: CheckFlow = (candidate, at) => {
  if (JSON.stringify(candidate) === JSON.stringify(failingFlow))
    throw invalidField('A302', `${at}[0].sms.from`)
}

type OpenServer = (options: {
  authenticate: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void
  authenticated: readonly FastifyPluginCallback[]
}) => FastifyInstance

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface FormResponse {
  readonly status: number
  readonly body: {
    readonly code: string
    readonly result: string
    readonly data?: { readonly formId: string; readonly expired: string; readonly messageForm?: unknown }
  }
}

export function createFormApi(
  options: Pick<FormRoutesOptions, 'database'> & Partial<FormRoutesOptions>,
  openServer: OpenServer,
) {
  const accountOf = (request: FastifyRequest): Account => ({
    id: Number(request.headers['x-account']),
    clientId: 'forms',
    name: 'A test account',
    blocked: false,
    tokenEpoch: 1,
    ...defaultSettings,
  })
  const formatTime = createTimeFormat('Asia/Seoul')
  const server = openServer({
    authenticate: (_request, _reply, done) => done(),
    authenticated: [asAccount(accountOf, formRoutes({ checkFlow, formatTime, ...options }))],
  })

  async function send(
    accountId: number,
    method: Method,
    url: string,
    payload?: string,
  ): Promise<FormResponse> {
    const response = await server.inject({
      method,
      url,
      headers: { 'x-account': String(accountId), 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: response.statusCode, body: response.json<FormResponse['body']>() }
  }

  const write = (messageForm: unknown): string => JSON.stringify({ messageForm })
  const post = (accountId: number, form: unknown): Promise<FormResponse> =>
    send(accountId, 'POST', '/v1/form', write(form))
  const put = (accountId: number, formId: string, form: unknown): Promise<FormResponse> =>
    send(accountId, 'PUT', `/v1/form/${formId}`, write(form))
  const get = (accountId: number, formId: string): Promise<FormResponse> =>
    send(accountId, 'GET', `/v1/form/${formId}`)
  const remove = (accountId: number, formId: string): Promise<FormResponse> =>
    send(accountId, 'DELETE', `/v1/form/${formId}`)

  return {
    send,
    post,
    put,
    get,
    remove,
    register: async (accountId: number): Promise<string> =>
      (await post(accountId, formFlow)).body.data!.formId,
    /** Returns the response of each method that requires an id. */
    everyUse: async (accountId: number, formId: string): Promise<FormResponse[]> => [
      await get(accountId, formId),
      await put(accountId, formId, [{ sms: { text: 'Changed' } }]),
      await remove(accountId, formId),
    ],
  }
}
