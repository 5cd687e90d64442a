/** What report codes mean, in the language of the operator. */
import { useMemo } from 'react'
import type { Data } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { usePreferences } from '../../preferences/preferences.ts'

export type CodeMeaning = Data<'listCodes'>['codes'][number]

/** Empty while it is read. */
export function useCodes(): ReadonlyMap<string, CodeMeaning> {
  const { language } = usePreferences()
  const { data } = useRead('listCodes', { query: { language } })
  return useMemo(() => new Map((data?.codes ?? []).map((one) => [one.code, one])), [data])
}
