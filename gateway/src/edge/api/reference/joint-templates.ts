import type { Operation } from './operation.ts'

const segment = /\{(\w+)\}/g
const getShape = ({ path }: Operation): string => path.replaceAll(segment, '{}')
const listSegmentNames = ({ path }: Operation): string[] =>
  [...path.matchAll(segment)].map(([, name]) => name!)

/**
 * Gives operations that name a path segment differently (POST /v1/file/{serviceType}, DELETE /v1/file/{fileKey}) a joint
 * name. OpenAPI has one template for all methods of a path: two that differ only in the names of their segments are
 * identical and therefore invalid. The server and the reference page keep the separate names.
 */
export function withJointTemplates(operations: readonly Operation[]): Operation[] {
  const sharing = Map.groupBy(operations, getShape)
  return operations.map((operation) => {
    const namesByMethod = sharing.get(getShape(operation))!.map(listSegmentNames)
    const renamed = new Map(
      listSegmentNames(operation).map((name, index) => [
        name,
        joinNames(namesByMethod.map((names) => names[index]!)),
      ]),
    )
    return rename(operation, (name) => renamed.get(name) ?? name)
  })
}

/** Joins names: `serviceType` and `fileKey` become `serviceTypeOrFileKey`. */
function joinNames(names: readonly string[]): string {
  const [first, ...others] = new Set(names)
  return first! + others.map((name) => `Or${name[0]!.toUpperCase()}${name.slice(1)}`).join('')
}

function rename(operation: Operation, toName: (name: string) => string): Operation {
  const { parameters, path } = operation
  return {
    ...operation,
    path: path.replaceAll(segment, (_whole, name: string) => `{${toName(name)}}`),
    ...(parameters === undefined
      ? {}
      : {
          parameters: parameters.map((parameter) =>
            parameter.in === 'path' ? { ...parameter, name: toName(parameter.name) } : parameter,
          ),
        }),
  }
}
