/** The page _Admin operations_ of the documentation site. */
import { adminOperations } from '../src/operations/operations.ts'
import { toCell, toTable } from './markdown.ts'

export function operationPage(): string {
  return [
    '# Admin operations',
    '',
    'Every operation of the [admin API](../../../docs/operations/admin-api.md), with the right that it needs. `GET /admin/v1/openapi.json` has parameters',
    'and errors.',
    '',
    toTable([
      ['Operation', 'Method', 'Path', 'Right', 'Does'],
      ...adminOperations.map(({ id, method, path, access, summary }) => [
        `\`${id}\``,
        method.toUpperCase(),
        `\`${path}\``,
        access.right,
        toCell(summary),
      ]),
    ]),
    '',
  ].join('\n')
}
