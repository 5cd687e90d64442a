/** Shows a step of a message, or why it did not arrive, and marks fallbacks. */
import { useRouter } from '@tanstack/react-router'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { useTexts } from '../../texts/texts.ts'
import { BubbleView } from './BubbleView.tsx'
import { ChannelIcon } from './ChannelIcon.tsx'
import { Clock } from './Clock.tsx'
import { formatNumber, isKakao, type PressedButton, type SandboxMessage, type Step } from './entries.ts'
import { sandboxTexts } from './texts.ts'

interface Props {
  readonly message: SandboxMessage
  readonly step: Step
  readonly onPress: (pressed: PressedButton) => void
}

const tones: Readonly<Record<Step['state'], Tone>> = {
  pending: 'info',
  delivered: 'ok',
  failed: 'bad',
  'no-receipt': 'warn',
}

export function StepView({ message, step, onPress }: Props) {
  const t = useTexts(sandboxTexts)
  const { bubble, channel, state } = step
  const content =
    bubble === null ? (
      <p className="handset-note">{step.hidden === 'erased' ? t.erased : t.otherRoute}</p>
    ) : (
      <BubbleView
        bubble={bubble}
        channel={channel}
        source={{ msgKey: message.msgKey, step: step.step }}
        onPress={(button) => onPress({ button, message, step })}
      />
    )
  return (
    <article className={`step ${isKakao(channel) ? 'kakao' : channel} ${state}`}>
      <h3 className="step-head">
        <ChannelIcon channel={channel} />
        <span>{t[channel]}</span>
        {step.from === null ? null : <span className="step-from number">{formatNumber(step.from)}</span>}
        {bubble?.advertisement === true ? <span className="step-tag">{t.advertisement}</span> : null}
        {step.step > 1 ? <span className="step-tag">{t.fallbackOf(step.step)}</span> : null}
      </h3>
      {state === 'failed' ? (
        <div className="lost">
          <p>
            <strong>{t.notReceived(t[channel])}</strong>
          </p>
          <p className="small">{step.codeText ?? step.cause}</p>
          {bubble === null ? null : (
            <details>
              <summary className="small">{t.showSent}</summary>
              {content}
            </details>
          )}
        </div>
      ) : (
        content
      )}
      <div className="step-foot">
        <Clock at={step.stateAt ?? step.submittedAt} />
        <Badge tone={tones[state]}>{t[state]}</Badge>
        <Details message={message} step={step} />
      </div>
    </article>
  )
}

function Details({ message, step }: Pick<Props, 'message' | 'step'>) {
  const t = useTexts(sandboxTexts)
  const { history, routesByPath } = useRouter()
  const hasMessagePage = Object.keys(routesByPath).some((path) => path.startsWith('/messages/$'))
  const rows: readonly (readonly [string, string | null])[] = [
    [t.account, message.account],
    [t.ref, message.ref],
    [t.route, step.route],
    [t.template, step.bubble?.template ?? null],
    [t.code, step.code ?? step.carrierCode],
  ]
  return (
    <details className="step-details">
      <summary className="small">{t.details}</summary>
      <dl className="small">
        <div>
          <dt>{t.msgKey}</dt>
          <dd className="mono">
            {message.msgKey} <CopyButton text={message.msgKey} what={t.msgKey} />
          </dd>
        </div>
        {rows.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {hasMessagePage ? (
        <a
          className="small"
          href={`/messages/${message.msgKey}`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            history.push(`/messages/${message.msgKey}`)
          }}
        >
          {t.openMessage}
        </a>
      ) : null}
    </details>
  )
}
