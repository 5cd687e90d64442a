/** Calls operations of the admin API by ID; inputs and results are typed from the API description. */
import { activityHeaders, sessionEnded, signInHeaders } from '../session/session.ts'
import { operations, type Data, type Input, type OperationId } from '../generated/operations.ts'
import { readProblem, unreachable } from './problem.ts'

export type { Data, Input }

type Fields = Readonly<Record<string, unknown>>
interface AnyInput {
  readonly params?: Fields
  readonly query?: Fields
  readonly body?: Fields
}

export async function call<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: { readonly signal?: AbortSignal; readonly ifMatch?: string | undefined } = {},
): Promise<Data<Id>> {
  const [method, path] = operations[id]
  const { params, query, body } = input as AnyInput
  const response = await send(buildUrl(path, params, query), {
    method,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.ifMatch === undefined ? {} : { headers: { 'if-match': options.ifMatch } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data } = (await response.json()) as { data: Data<Id> }
  return data
}

/** Throws a `Problem` unless the response status is 2xx; an aborted request throws its own error. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    headers: {
      ...(init.headers as Readonly<Record<string, string>> | undefined),
      ...signInHeaders(),
      ...activityHeaders(),
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    credentials: 'same-origin',
  }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error
    throw unreachable()
  })
  if (response.ok) return response
  const problem = await readProblem(response)
  // A wrong password (`wrong-sign-in`) does not end the session.
  if (problem.code === 'unauthenticated') sessionEnded()
  throw problem
}

function buildUrl(path: string, params: Fields = {}, query: Fields = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, toText(value))
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
