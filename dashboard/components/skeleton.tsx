type SkeletonProps = { width: number | string; height: number; radius?: number }

/** Has the size of the content that it stands for, so that nothing moves when that has loaded. */
export const Skeleton = ({ width, height, radius }: SkeletonProps) => (
  <span className="skeleton" style={{ width, height, borderRadius: radius }} aria-hidden />
)
