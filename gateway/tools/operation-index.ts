/** Generates gateway/src/operations/operation-index.ts. */
import type { AdminOperation } from '../src/operations/operation.ts'

/** Returns one line per operation, so that a review shows added and changed ones. */
export function operationIndexSource(operations: readonly AdminOperation[]): string {
  const lines = operations
    .filter(({ stream }) => stream === undefined)
    .map(
      ({ id, method, path, access: { right, kind, reason } }) =>
        // One line each, whatever its length.
        `  ${id}: { method: '${method.toUpperCase()}', path: '${path}', right: '${right}', kind: '${kind}', reason: '${reason}' },`,
    )
  return [
    '/**',
    ' * Path and access requirements of each operation of the admin API. Generated from the definitions by `npm run generate`, so that commands read them',
    ' * without loading the definitions.',
    ' */',
    "import type { OperationAccess } from './operation.ts'",
    '',
    'interface Indexed extends OperationAccess {',
    '  readonly method: string',
    '  readonly path: string',
    '}',
    '',
    '// prettier-ignore',
    'export const operationIndex = {',
    ...lines,
    '} as const satisfies Readonly<Record<string, Indexed>>',
    '',
    'export type OperationId = keyof typeof operationIndex',
    '',
  ].join('\n')
}
