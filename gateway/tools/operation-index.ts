/** Writes gateway/src/admin/operation-index.ts. */
import type { AdminOperation } from '../src/admin/operation.ts'

/** Where each operation is and what it needs, one line each: it shows in a review which operation was added or changed. */
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
    ' * Where each operation of the admin API is, and what it needs. Generated from the definitions by `npm run generate`, so that a command knows it',
    ' * without loading them.',
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
