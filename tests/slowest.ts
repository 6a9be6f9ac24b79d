import type { Reporter as PlaywrightReporter, TestCase } from '@playwright/test/reporter';
import type { Reporter as VitestReporter } from 'vitest/node';

/** A reporter for both vitest and Playwright that prints a run's ten slowest tests. */
export default class Slowest implements VitestReporter, PlaywrightReporter {
  #tests: { name: string; milliseconds: number }[] = [];

  onTestCaseResult: VitestReporter['onTestCaseResult'] = (test) => {
    const milliseconds = test.diagnostic()?.duration ?? 0;
    this.#tests.push({ name: `${test.module.relativeModuleId} › ${test.fullName}`, milliseconds });
  };

  onTestRunEnd(): void {
    this.#print();
  }

  onTestEnd(test: TestCase, { duration }: { duration: number }): void {
    this.#tests.push({
      name: test.titlePath().filter(Boolean).join(' › '),
      milliseconds: duration,
    });
  }

  onEnd(): void {
    this.#print();
  }

  printsToStdio(): boolean {
    return false;
  }

  #print(): void {
    const slowest = this.#tests.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
    const lines = slowest.map(
      ({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${name}`,
    );
    process.stdout.write(`\nThe slowest tests\n${lines.join('\n')}\n`);
  }
}
