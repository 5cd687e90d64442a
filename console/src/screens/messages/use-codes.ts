/** Meanings of report codes in the operator's language. */
import { useMemo } from 'react'
import type { Data } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { usePreferences } from '../../preferences/preferences.ts'

export type CodeMeaning = Data<'listCodes'>['codes'][number]

/** Returns an empty map while loading. */
export function useCodes(): ReadonlyMap<string, CodeMeaning> {
  const { language } = usePreferences()
  const { data } = useRead('listCodes', { query: { language } })
  return useMemo(() => new Map((data?.codes ?? []).map((one) => [one.code, one])), [data])
}
