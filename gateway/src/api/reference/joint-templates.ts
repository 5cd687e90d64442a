/**
 * OpenAPI has one template for all methods of a path: two that differ only in the names of their segments are identical, and
 * invalid beside each other. Where operations name a segment differently (POST /v1/file/{serviceType}, DELETE /v1/file/{fileKey}),
 * all of them get the joint name. The server and the reference page keep their own. Pure.
 */
import type { Operation } from './operation.ts'

const segment = /\{(\w+)\}/g
const shapeOf = ({ path }: Operation): string => path.replaceAll(segment, '{}')
const namesIn = ({ path }: Operation): string[] => [...path.matchAll(segment)].map(([, name]) => name!)

export function withJointTemplates(operations: readonly Operation[]): Operation[] {
  const sharing = Map.groupBy(operations, shapeOf)
  return operations.map((operation) => {
    const all = sharing.get(shapeOf(operation))!.map(namesIn)
    const renamed = new Map(
      namesIn(operation).map((name, index) => [name, joined(all.map((names) => names[index]!))]),
    )
    return rename(operation, (name) => renamed.get(name) ?? name)
  })
}

/** `serviceType` and `fileKey` are `serviceTypeOrFileKey`. */
function joined(names: readonly string[]): string {
  const [first, ...others] = new Set(names)
  return first! + others.map((name) => `Or${name[0]!.toUpperCase()}${name.slice(1)}`).join('')
}

function rename(operation: Operation, nameOf: (name: string) => string): Operation {
  const { parameters, path } = operation
  return {
    ...operation,
    path: path.replaceAll(segment, (_whole, name: string) => `{${nameOf(name)}}`),
    ...(parameters === undefined
      ? {}
      : {
          parameters: parameters.map((parameter) =>
            parameter.in === 'path' ? { ...parameter, name: nameOf(parameter.name) } : parameter,
          ),
        }),
  }
}
