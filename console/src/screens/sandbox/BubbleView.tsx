/** Renders a message as its app would: text, card or carousel. Client texts are never rendered as HTML. */
import { useTexts } from '../../texts/texts.ts'
import type { Bubble, Button, Card, Channel } from './entries.ts'
import { MessageImage, type FileSource } from './MessageImage.tsx'
import { sandboxTexts } from './texts.ts'

interface Props {
  readonly bubble: Bubble
  readonly channel: Channel
  readonly source: FileSource
  readonly onPress: (button: Button) => void
}

export function BubbleView({ bubble, channel, source, onPress }: Props) {
  const t = useTexts(sandboxTexts)
  const { cards, more, quickReplies, footer } = bubble
  return (
    <div className={`bubble ${channel}`}>
      {cards.length === 1 ? (
        <CardView card={cards[0]!} source={source} onPress={onPress} />
      ) : (
        <ul className="carousel" tabIndex={0} aria-label={t.cards}>
          {cards.map((card, index) => (
            // Cards have no ID, and their order never changes.
            <li key={index} aria-label={t.card(index + 1, cards.length)}>
              <CardView card={card} source={source} onPress={onPress} />
            </li>
          ))}
        </ul>
      )}
      {footer === null ? null : <p className="bubble-foot small">{footer}</p>}
      {more === null ? null : (
        <Press button={{ label: t.more, does: 'url', target: more }} onPress={onPress} className="press" />
      )}
      {quickReplies.length === 0 ? null : (
        <div className="chips">
          {quickReplies.map((button, index) => (
            <Press key={index} button={button} onPress={onPress} className="chip" />
          ))}
        </div>
      )}
    </div>
  )
}

function CardView({ card, source, onPress }: Pick<Props, 'source' | 'onPress'> & { readonly card: Card }) {
  const t = useTexts(sandboxTexts)
  const { header, title, text, lines, items, price, coupon, smallPrint } = card
  return (
    <div className="bubble-card">
      {card.images.map((image, index) => (
        <MessageImage key={index} image={image} source={source} alt={t.picture(index + 1)} />
      ))}
      <div className="bubble-body">
        {header === null ? null : <p className="bubble-header">{header}</p>}
        {items.map((item, index) => (
          <div key={index} className="bubble-item">
            {item.image === null ? null : (
              <MessageImage image={item.image} source={source} alt={item.title ?? t.picture(index + 1)} />
            )}
            <div>
              {item.title === null ? null : <strong>{item.title}</strong>}
              {item.text === null ? null : <p className="small">{item.text}</p>}
            </div>
          </div>
        ))}
        {title === null ? null : <p className="bubble-title">{title}</p>}
        {price === null ? null : (
          <p className="bubble-price">
            {price.off === null ? null : <em>{price.off}</em>} <strong>{price.now}</strong>{' '}
            {price.before === null ? null : <s>{price.before}</s>}
          </p>
        )}
        {text === null ? null : <p className="bubble-text">{text}</p>}
        {lines.length === 0 ? null : (
          <dl className="bubble-lines">
            {lines.map(({ label, value, strong }, index) => (
              <div key={index} className={strong ? 'sum' : undefined}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {smallPrint === null ? null : <p className="small">{smallPrint}</p>}
        {coupon === null ? null : (
          <button
            type="button"
            className="bubble-coupon"
            onClick={() => onPress({ label: coupon.title, does: 'url', target: coupon.opens })}
          >
            <strong>{coupon.title}</strong>
            <span className="small">{coupon.text}</span>
          </button>
        )}
      </div>
      {card.buttons.map((button, index) => (
        <Press key={index} button={button} onPress={onPress} className="press" />
      ))}
    </div>
  )
}

function Press({
  button,
  onPress,
  className,
}: {
  readonly button: Button
  readonly onPress: (button: Button) => void
  readonly className: string
}) {
  return (
    <button type="button" className={className} onClick={() => onPress(button)}>
      {button.label}
    </button>
  )
}
