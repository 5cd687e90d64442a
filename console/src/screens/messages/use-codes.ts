/** Meanings of report codes in the operator's language. */
import { useMemo } from 'react'
import type { Data } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { usePreferences } from '../../preferences/preferences.ts'

export type CodeMeaning = Data<'listCodes'>['codes'][number]

/** Returns the meanings by code. The map is empty until they are loaded. */
export function useCodes(): ReadonlyMap<string, CodeMeaning> {
  const { language } = usePreferences()
  const { data } = useRead('listCodes', { query: { language } })
  return useMemo(() => new Map((data?.codes ?? []).map((meaning) => [meaning.code, meaning])), [data])
}
