/** Runs a derived command: builds the request from its arguments and options, and formats the response. */
import { operationIndex } from '../operations/operation-index.ts'
import type { AdminClient, UntypedInput, ResponseData } from './client/client.ts'
import type { OperationId } from './client/types.ts'
import type { DerivedCommand, CommandParameter } from './derived-command.ts'
import { renderData } from './render.ts'
import type { Result } from './result.ts'
import { views } from './views.ts'

type Fields = Readonly<Record<string, unknown>>

export async function runDerived(
  admin: AdminClient,
  command: DerivedCommand,
  given: readonly unknown[],
): Promise<Result> {
  const { operation } = command
  const options = given.at(-1) as Fields
  const input = toInput(admin, command, given)
  const data = (
    command.isPage
      ? { items: await readItems(admin, operation, input, options.limit as number | undefined) }
      : await admin.call(operation, input)
  ) as ResponseData<OperationId>
  const view = views[operation] as ((data: ResponseData<OperationId>) => Omit<Result, 'json'>) | undefined
  if (view !== undefined) return { json: data, ...view(data) }
  const note = command.note === undefined ? [] : [command.note]
  return { json: data, lines: [...renderData(data, command.columns), ...note] }
}

function readItems(
  admin: AdminClient,
  operation: OperationId,
  input: UntypedInput,
  max: number | undefined,
): Promise<unknown[]> {
  const part = operationIndex[operation].method === 'GET' ? 'query' : 'body'
  return admin.readAll(
    (page) =>
      admin.call(operation, { ...input, [part]: { ...input[part], ...page } }) as Promise<{
        items: readonly unknown[]
        next: string | null
      }>,
    max,
  )
}

function toInput(admin: AdminClient, command: DerivedCommand, given: readonly unknown[]): UntypedInput {
  const options = given.at(-1) as Fields
  const { method } = operationIndex[command.operation]
  const input: Record<string, Record<string, unknown>> = { params: {}, query: {}, body: {} }
  command.arguments.forEach((parameter, index) => setField(input, parameter, given[index]))
  for (const parameter of command.options) setField(input, parameter, options[attributeName(parameter)])
  if (method === 'GET' || method === 'DELETE') {
    const { params, query } = input
    return { params: params!, query: { ...query, ...admin.reason } }
  }
  const { params, query, body } = input
  return { params: params!, query: query!, body: { ...body, ...admin.reason } }
}

function setField(
  input: Record<string, unknown>,
  { field, nullable }: CommandParameter,
  value: unknown,
): void {
  if (value === undefined) return
  const names = field.split('.')
  let target = input
  for (const name of names.slice(0, -1)) target = (target[name] ??= {}) as Record<string, unknown>
  target[names.at(-1)!] = nullable && value === 'none' ? null : value
}

/** Returns commander's name of an option, such as `limitsSend`. */
function attributeName({ name }: CommandParameter): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
