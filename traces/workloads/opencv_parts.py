"""opencv_parts.py PART - OpenCV's OpenCL kernels on a picture of 320x240."""
import sys

import cv2
import numpy as np

cv2.ocl.setUseOpenCL(True)
rng = np.random.default_rng(3)
single = rng.random((240, 320), dtype=np.float32)
grey = cv2.UMat(rng.integers(0, 255, (240, 320), dtype=np.uint8))
colour = cv2.UMat(rng.integers(0, 255, (240, 320, 3), dtype=np.uint8))
real = cv2.UMat(single)
part = sys.argv[1]

if part == "arith":
    for picture in (grey, real):
        cv2.add(picture, picture)
        cv2.multiply(picture, picture)
        cv2.absdiff(picture, picture)
        cv2.compare(picture, picture, cv2.CMP_GT)
        cv2.minMaxLoc(picture)
        cv2.meanStdDev(picture)
        cv2.norm(picture)
        cv2.threshold(picture, 0.5, 1, cv2.THRESH_BINARY)
elif part == "filter":
    cv2.blur(grey, (5, 5))
    cv2.GaussianBlur(real, (5, 5), 1.5)
    cv2.Sobel(real, cv2.CV_32F, 1, 0)
    cv2.Laplacian(real, cv2.CV_32F)
    cv2.medianBlur(grey, 3)
    cv2.bilateralFilter(grey, 5, 30, 30)
    cv2.erode(grey, np.ones((3, 3)))
    cv2.dilate(grey, np.ones((5, 5)))
    cv2.filter2D(real, -1, np.ones((3, 3)) / 9)
elif part == "geom":
    cv2.resize(grey, (160, 120))
    cv2.resize(grey, (640, 480))
    cv2.warpAffine(grey, np.float32([[1, .1, 3], [.1, 1, 2]]), (320, 240))
    cv2.flip(grey, 1)
    cv2.pyrDown(grey)
    cv2.pyrUp(grey)
    cv2.transpose(real)
    cv2.warpPerspective(grey, np.float32([[1, .1, 3], [.1, 1, 2], [0, 0, 1]]), (320, 240))
elif part == "color":
    for code in (cv2.COLOR_BGR2GRAY, cv2.COLOR_BGR2HSV, cv2.COLOR_BGR2YUV, cv2.COLOR_BGR2Lab,
                 cv2.COLOR_BGR2XYZ):
        cv2.cvtColor(colour, code)
elif part == "feature":
    cv2.Canny(grey, 50, 100)
    cv2.goodFeaturesToTrack(grey, 50, 0.01, 5)
    cv2.equalizeHist(grey)
    cv2.integral(grey)
    cv2.matchTemplate(real, cv2.UMat(single[:16, :16].copy()), cv2.TM_CCORR)
    cv2.dft(real)
cv2.ocl.finish()
