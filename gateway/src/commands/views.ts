/** Texts of derived commands that say more than a table of the answer, by the id of the operation. */
import type { Data, OperationId } from './client/types.ts'
import { showComparison } from './ledger/view.ts'
import type { Result } from './result.ts'

type Views = { readonly [Id in OperationId]?: (data: Data<Id>) => Omit<Result, 'json'> }

export const views: Views = {
  compareLedger: showComparison,
  showMessage: ({ msgKey, events }) => ({
    lines: [
      msgKey,
      ...events.map(({ at, step, text }) => `${at}  ${step === null ? '      ' : `step ${step}`}  ${text}`),
    ],
  }),
  testWebhook: ({ httpStatus, ms, error }) => ({
    lines: [error === '' ? `acknowledged with ${httpStatus} after ${ms} ms` : `${error}, after ${ms} ms`],
    failed: error !== '',
  }),
}
