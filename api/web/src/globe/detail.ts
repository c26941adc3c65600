// How much is drawn. Where pictures come too slowly there is less of it, step by step; more again where there is time for it.
export const STEPS = [
  { ratio: 2, plain: false },
  { ratio: 1, plain: false },
  { ratio: 1, plain: true }, // without air and lines
  { ratio: 0.6, plain: true },
] as const;

const LONGEST_MS = 1000 / 25;
const SHORT_MS = LONGEST_MS / 2; // the next step up takes less than twice as long
const JUDGED = 24; // pictures; their median, so that one long one while a list loads does not count
const CALM = 5; // such medians in a row before there is more

export class Detail {
  step = 0;
  private spent_ms: number[] = [];
  private calm = 0;

  // How long a picture took; true if from now on there is less, or more, in it.
  took(milliseconds: number): boolean {
    if (this.spent_ms.push(milliseconds) < JUDGED) return false;
    const median = this.spent_ms.sort((a, b) => a - b)[JUDGED / 2] as number;
    this.spent_ms = [];
    this.calm = median < SHORT_MS ? this.calm + 1 : 0;
    const isSlow = median > LONGEST_MS;
    if (!isSlow && this.calm < CALM) return false;
    this.calm = 0;
    const step = Math.min(STEPS.length - 1, Math.max(0, this.step + (isSlow ? 1 : -1)));
    if (step === this.step) return false;
    this.step = step;
    return true;
  }
}
