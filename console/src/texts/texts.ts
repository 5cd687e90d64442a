/** Translated texts. Types ensure that a dictionary has the same keys in every language. */
import { usePreferences } from '../preferences/preferences.ts'
import type { Language } from '../preferences/languages.ts'

/** A string, or a function that inserts values into one. */
export type Entry = string | ((...values: never[]) => string)
export type Dictionary = Readonly<Record<string, Entry>>

/** The same keys with texts in another language. */
export type Translation<English extends Dictionary> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : English[Key]
}

export type Dictionaries<English extends Dictionary> = Readonly<Record<Language, Translation<English>>>

export function defineTexts<const English extends Dictionary>(
  en: English,
  ko: NoInfer<Translation<English>>,
): Dictionaries<English> {
  return { en: en as Translation<English>, ko }
}

export function useTexts<English extends Dictionary>(
  dictionaries: Dictionaries<English>,
): Translation<English> {
  return dictionaries[usePreferences().language]
}
