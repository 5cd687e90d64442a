/** The optional objects of a flow. */
import { createRows } from '../row.ts'

export interface OmniObjectCase {
  /** Name in the contract. */
  readonly row: string
  readonly channel: 'alimtalk' | 'friendtalk'
  /** Path in the entry of the channel. */
  readonly path: string
  /** Code for a string instead of the object. */
  readonly code: string
}

export const omniObjectCases: Readonly<Record<string, OmniObjectCase>> = {
  'alimtalk-attachment': {
    row: 'attachment (alimtalk)',
    channel: 'alimtalk',
    path: 'attachment',
    code: 'A573',
  },
  'friendtalk-attachment': {
    row: 'attachment (friendtalk)',
    channel: 'friendtalk',
    path: 'attachment',
    code: 'A573',
  },
  supplement: { row: 'supplement', channel: 'alimtalk', path: 'supplement', code: 'A562' },
  item: { row: 'item', channel: 'alimtalk', path: 'attachment.item', code: 'A521' },
  list: { row: 'list', channel: 'alimtalk', path: 'attachment.item.list', code: 'A521' },
  summary: { row: 'summary', channel: 'alimtalk', path: 'attachment.item.summary', code: 'A561' },
  itemHighlight: {
    row: 'itemHighlight',
    channel: 'alimtalk',
    path: 'attachment.itemHighlight',
    code: 'A560',
  },
  image: { row: 'image', channel: 'friendtalk', path: 'attachment.image', code: 'A513' },
  button: { row: 'button', channel: 'alimtalk', path: 'attachment.button', code: 'A503' },
  quickReply: { row: 'quickReply', channel: 'alimtalk', path: 'supplement.quickReply', code: 'A562' },
}

export const omniObjectRows = createRows(
  'Endpoints · POST /v1/send/omni',
  'omni-object',
  Object.entries(omniObjectCases).map(([id, { row, path, code }]) => [
    id,
    row,
    `leaves as it was given in ${path}; a string is ${code}`,
  ]),
)
