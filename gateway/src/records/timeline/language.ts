/** The client's preferred language among those the API answers in. Pure. */
import type { Language } from '../../channels/report-meaning.ts'

/** English unless `Accept-Language` ranks Korean higher. */
export function readLanguage(header: string | undefined): Language {
  const ranks = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map((item) => item.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: tag.split('-')[0]!, rank: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const rankOf = (language: Language): number =>
    Math.max(0, ...ranks.filter((range) => range.language === language).map(({ rank }) => rank))
  return rankOf('ko') > rankOf('en') ? 'ko' : 'en'
}
