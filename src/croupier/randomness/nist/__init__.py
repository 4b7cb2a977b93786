"""The fifteen tests of NIST SP 800-22 rev. 1a, each named by its section.

Each takes the bits of one sequence and gives a statistic and a p-value. If the document prints
rounded or asymptotic probabilities for a chi-square (2.4, 2.5, 2.8, 2.10), the exact ones are used
here; `chances` replaces them by the printed ones, to compare with the document's own examples.
"""
