/** Formats counts that the API caps at a limit. */
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { webhooksTexts } from './texts.ts'

const maxCounted = 1_000

export function useUpTo(): (count: number) => string {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  return (count) => {
    const text = formatCount(count, language)
    return count >= maxCounted ? t.atLeast(text) : text
  }
}
