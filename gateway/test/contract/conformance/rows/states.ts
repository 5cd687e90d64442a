import { createRows } from '../row.ts'

export const stateRows = [
  ...createRows('States · Token', 'token-state', [
    [
      'issue',
      '(none) → valid',
      'valid credentials give schema, expired and token, and many tokens are valid at once',
    ],
    ['expire', 'valid → expired', 'a token is accepted until 24 hours after issue and is A001 from then on'],
    ['renew', 'expired → new token', 'a new token is valid, and the old one stays expired'],
  ]),
  ...createRows('States · Report batch', 'batch-state', [
    [
      'hand-out',
      'pending → handed out',
      'polling gives at most 1000 reports with a reportId, and the same again',
    ],
    ['process', 'handed out → processed', 'deleting the reportId frees the next batch'],
    ['refuse', 'handed out → unchanged', 'deleting another reportId is A805, and the batch stays'],
    ['delete', 'pending → deleted', 'a report of less than 3 days is handed out, an older one is not'],
    ['order', 'one batch at a time', 'no further report is handed out before the batch is deleted'],
  ]),
]
