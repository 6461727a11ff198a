/** English closed-class words (Quirk et al. 1985, 2.34), and verbs that only ask or present. */
export const ENGLISH_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above according across after again against all along also am among an and another any anybody anyone anything are around as at be
  because been before being below between both but by can could did do does doing down during each either else every everybody
  everyone everything ever few for from had has have having he her hers here him his how i if in into is it its itself just
  many may me might mine more most much must my neither no nobody none nor not nothing of off on once one ones only onto or other
  others our ours ourselves out over own per please shall she should since so some somebody someone something such tell than that
  the their theirs them themselves then there these they this those through to too toward towards under until up upon us very
  was we were what whatever when whenever where wherever whether which whichever while who whoever whom whose why will with
  within without would yes you your yours yourself exactly actually there's what's i'm i'd i've can't don't doesn't didn't isn't aren't`.split(
    /\s+/,
  ),
)

/** Chinese closed-class words (Lü Shuxiang, 现代汉语八百词, 1999), and polite openings of questions. */
export const CHINESE_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 大家 人家 这 那 这个 那个 这些 那些 这种 那种 这里 那里 这样 那样 此 其 其中 其他 某 每 各 另 另外
  谁 什么 啥 哪 哪个 哪些 哪里 哪儿 哪种 哪一 哪几 哪位 何 何时 何地 何种 为何 如何 怎么 怎样 怎么样 怎么办 怎 多少 多久 多长 多大 多高 多远 多重 多宽 多深 多快 多 几 几个 为什么 干嘛 什么样 什么时候 是否 能否 可否 有没有 是不是 能不能 可不可以 会不会 要不要 该不该 用不用
  不 没 没有 别 未 勿 很 太 更 最 再 又 也 还 都 就 才 只 仅 已 已经 曾 曾经 正 正在 将 刚 刚刚 一直 到底 究竟 大概 大约 约 一共 总共 共 分别 各自 至少 至多 最多 最少 具体 一般 通常 主要
  会 要 能 可 得 须 必须 应 该 应该 可以 能够 应当 需要 需 想 愿意 肯 敢
  在 到 从 自 由 于 以 向 往 朝 把 将 被 给 对 对于 关于 为 为了 比 跟 同 和 与 及 以及 或 或者 还是 让 使 叫 按 按照 根据 依据 依照 通过 经 经过 除 除了 随着 当 沿
  上 下 里 中 内 外 前 后 间 之间 之前 之后 以前 以后 以内 以外 以上 以下 时 时候 期间 之内 之外 之中 方面
  的 地 得 了 着 过 吗 呢 吧 啊 呀 么 嘛 之 所 而 但 但是 而且 并 并且 且 则 即 即使 因 因为 由于 所以 因此 如果 若 要是 假如 的话 那么 虽然 不过 然后
  是 有 为 做 进行 算 属于 叫做 请 请问 请说明 请告诉我 告诉 说明 一下 一个 一 个 种 些 点 次 起来 出来 下来 上来 起 来 去 吧`.split(
    /\s+/,
  ),
)
