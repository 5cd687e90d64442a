import { parseRanges, replaceNumberRanges } from './ranges.ts'
import { record, text, whole } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'

const Ranges = record({ ranges: whole('Number of stored ranges') }, 'The ranges', { title: 'NumberRanges' })
const path = '/admin/v1/number-ranges'

export const rangeOperations = [
  defineOperation({
    id: 'putRanges',
    method: 'put',
    path,
    tag: 'Routes',
    summary: 'Replace all number ranges, effective in all processes within two seconds',
    description: 'The body is limited to 1 MB, about 60,000 ranges.',
    access: writeAccess('routes'),
    action: 'route ranges import',
    maxBodyBytes: 1024 * 1024,
    body: {
      lines: text('One range per line: a prefix such as 0102 or +8110, a comma and a carrier such as 10001', {
        minLength: 1,
      }),
    },
    data: Ranges,
    run: async ({ body: { lines } }, { audit }) => {
      const ranges = parseRanges(lines)
      await replaceNumberRanges(audit, ranges)
      return { ranges: ranges.length }
    },
  }),
  defineOperation({
    id: 'clearRanges',
    method: 'delete',
    path,
    tag: 'Routes',
    summary: 'Remove all number ranges, after which no number has a known carrier',
    access: writeAccess('routes'),
    action: 'route ranges clear',
    command: { examples: [''] },
    data: Ranges,
    run: async (_input, { audit }) => {
      await replaceNumberRanges(audit, [])
      return { ranges: 0 }
    },
  }),
]
