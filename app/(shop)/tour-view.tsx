import { Card } from '@/components/ui/card';
import { Code } from '@/components/ui/code';
import { TextLink } from '@/components/ui/text-link';
import { Thread, ThreadNode } from '@/components/ui/thread';
import { TOUR_STEPS, type TourStep } from './tour-steps';

export type Progress = { clickId: string | null; happened: readonly string[] };

/** The steps, those that have happened lit. */
export function TourView({ clickId, happened }: Progress) {
  const isDone = (views: readonly string[]) => views.some((view) => happened.includes(view));
  const done = TOUR_STEPS.filter(({ views }) => isDone(views)).length;
  const next = TOUR_STEPS.find(({ views }) => !isDone(views));
  return (
    <Card
      id="tour"
      title="Follow one visitor"
      description="You are trying this out on your own machine. Each step lights up when it has really happened."
      aside={
        <p role="status" className="text-muted-foreground text-sm">
          {done} of {TOUR_STEPS.length} steps
        </p>
      }
      className="my-6"
    >
      <Thread label="The steps of the tour">
        {TOUR_STEPS.map((step) => {
          const { title, file, seen, views } = step;
          const place = isDone(views) && clickId ? seen(clickId) : null;
          return (
            <ThreadNode
              key={title}
              title={title}
              isLit={place !== null}
              reason={step === next ? <Todo step={step} /> : null}
            >
              {(place || step === next) && (
                <p className="text-muted-foreground text-sm">
                  {place && (
                    <>
                      See{' '}
                      <TextLink href={place.href} prefetch={false}>
                        {place.name}
                      </TextLink>
                      , done by{' '}
                    </>
                  )}
                  <Code>{file}</Code>
                </p>
              )}
            </ThreadNode>
          );
        })}
      </Thread>
    </Card>
  );
}

function Todo({ step: { todo, href } }: { step: TourStep }) {
  if (!href) return todo;
  return (
    // A whole page load, as a visitor's is: the tracker reads the address while the page loads.
    <a href={href} className="text-link underline underline-offset-4">
      {todo}
    </a>
  );
}
