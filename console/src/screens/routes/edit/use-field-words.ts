/** Labels of the fields that operators fill in most, in their language. Options keep the description of their schema. */
import type { FieldWords } from '../../../components/schema-form/SchemaFields.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { optionTexts, settingTexts } from './texts.ts'

export function useFieldWords(): (path: string) => FieldWords {
  const settings: Readonly<Record<string, string>> = useTexts(settingTexts)
  const options: Readonly<Record<string, string>> = useTexts(optionTexts)
  return (path) => {
    if (!path.startsWith('options.')) return { label: settings[path], hint: settings[`${path}-hint`] }
    return { label: options[path.slice(path.lastIndexOf('.') + 1)] }
  }
}
