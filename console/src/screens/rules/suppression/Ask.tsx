/** A look at one recipient, or a change of the list, with its effect told first. */
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { Found } from './found.ts'
import { suppressionTexts } from './texts.ts'

export interface Asked {
  readonly act: 'lookUp' | 'add' | 'remove'
  readonly account: string | undefined
  readonly numbers: readonly string[]
}

interface Props {
  readonly asked: Asked
  readonly onFound: (found: Found) => void
  /** With what became of it. */
  readonly onChanged: (words: string) => void
  readonly onClose: () => void
}

export function Ask({ asked: { act, account, numbers }, onFound, onChanged, onClose }: Props) {
  const t = useTexts(suppressionTexts)
  const { language } = usePreferences()
  const show = useChange('showSuppression')
  const add = useChange('addSuppression')
  const remove = useChange('removeSuppression')
  const of = account ?? t.ofAll
  const texts = {
    lookUp: [t.lookUpTitle, t.lookUpEffect(of)],
    add: [t.addTitle(t.given(numbers.length), of), t.addEffect(of)],
    remove: [t.removeTitle(t.given(numbers.length), of), t.removeEffect(of)],
  } as const
  const [title, effect] = texts[act]
  const run = async (reason: string): Promise<void> => {
    if (act === 'lookUp') {
      const known = await show.mutateAsync({ body: { account, recipient: numbers[0]!.trim(), reason } })
      return onFound({ account, known })
    }
    const body = { account, recipients: numbers.map((number) => number.trim()), reason }
    const { changed } = await (act === 'add' ? add : remove).mutateAsync({ body })
    onChanged(changed === 0 ? t.unchanged : t.changed(formatCount(changed, language)))
  }
  return (
    <Confirm title={title} confirmLabel={t[act]} danger={act === 'remove'} onConfirm={run} onClose={onClose}>
      <p>{effect}</p>
    </Confirm>
  )
}
